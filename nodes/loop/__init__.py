"""The loop around search and solver: beginning, reflection, re-activation, end (AnyTool, 4.3)."""
