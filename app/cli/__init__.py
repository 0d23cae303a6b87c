"""The command line: the verbs and what they answer."""
