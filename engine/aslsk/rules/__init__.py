"""The rules of ASL Starter Kit, one module per chapter of the book."""
