"""The rule engines: plain procedures over frozen states, every step with its rule."""
