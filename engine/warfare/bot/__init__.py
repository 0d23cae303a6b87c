"""The computer players of Warfare."""
