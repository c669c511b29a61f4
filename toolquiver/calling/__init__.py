"""Making a call safely."""
