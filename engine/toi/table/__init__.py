"""What the rest of the program asks of Tide of Iron."""
