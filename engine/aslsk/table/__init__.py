"""What the rest of the program asks of ASL Starter Kit."""
