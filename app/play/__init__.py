"""A game being played, without a screen: session, players, post, guide, dialogue."""
