"""The rules of D-Day at Omaha Beach, one module per chapter of the book."""
