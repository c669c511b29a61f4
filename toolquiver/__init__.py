"""toolquiver."""
