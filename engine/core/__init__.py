"""What all titles share: hexes, dice, pools, asking, citing. No rule of any game."""
