"""Reverse Chain: APIs selected backwards, arguments completed, and the user asked for the rest."""
