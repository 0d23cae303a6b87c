"""The table of Warfare: its state, what changes it, and the tables of the book."""
