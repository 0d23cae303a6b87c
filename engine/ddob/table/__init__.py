"""What the rest of the program asks of D-Day at Omaha Beach."""
