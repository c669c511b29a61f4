"""What an API is good for, as far as its name and its schemas tell."""
