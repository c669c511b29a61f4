"""Calls that a model writes down as Python: read by `ast` and checked, never run."""
