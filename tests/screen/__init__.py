"""A player at the screen: every scenario by keys, by mouse and by both, as a person would."""
