"""Rule texts for people: the library, the links to the engine, pages and notes."""
