"""How each title is shown: glyphs, colours, names, panels."""
