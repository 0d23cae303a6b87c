"""The table of ASL Starter Kit: its state, what changes it, and the tables of the book."""
