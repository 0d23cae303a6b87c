"""The widgets of the program."""
