"""Chat models, decisions, tokens."""
