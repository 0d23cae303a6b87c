"""The rules of Tide of Iron, one module per chapter of the book."""
