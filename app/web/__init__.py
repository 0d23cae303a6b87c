"""The same program in a browser, on this machine only: `prontuario servi` (docs/adr/0008)."""
