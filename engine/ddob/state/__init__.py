"""The table of D-Day at Omaha Beach: its state, what changes it, and the tables of the book."""
