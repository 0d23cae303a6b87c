"""The computer players of D-Day at Omaha Beach."""
