"""Who does the work: one agent role a file."""
