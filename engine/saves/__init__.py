"""Saved games: text files that only grow, checked line by line and by replay.

- `lines`: what stands in a file, and the marks that show what became of a line
- `reading`: a file as far as it can be trusted
- `replaying`: the game in it, as far as today's rules accept it
- `writing`: the file of a game that is being played
- `chains`: dice that a side commits to; `letters`: a game as it is sent
- `lock`: one writer; `seal`: lines that say nothing to a reader

Nothing in a file is ever executed, and no path is built from what a file says.
"""
