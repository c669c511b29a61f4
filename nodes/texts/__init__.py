"""What texts say: numbers, units, times and names, compared by code."""
