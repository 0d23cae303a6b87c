"""`prontuario servi` in a real browser: `make web`."""
