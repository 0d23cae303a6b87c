"""What every part of the program stands on: words, settings, paths, streams, faults."""
