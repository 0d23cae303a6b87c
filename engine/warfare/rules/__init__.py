"""The rules of Warfare, one module per chapter of the book."""
