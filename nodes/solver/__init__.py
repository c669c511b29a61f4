"""The solvers: ReAct, depth-first search, and registration on demand (EcoAct)."""
