"""Judges, their votes, and the evidence that an answer stands on."""
