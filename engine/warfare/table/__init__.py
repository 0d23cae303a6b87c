"""What the rest of the program asks of Warfare."""
