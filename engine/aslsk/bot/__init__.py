"""The computer players of ASL Starter Kit."""
