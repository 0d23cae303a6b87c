"""The computer players of Tide of Iron."""
