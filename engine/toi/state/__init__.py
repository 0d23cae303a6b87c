"""The table of Tide of Iron: its state, what changes it, and the tables of the book."""
