"""Smurfs' roles: planner, executor, answer and verifier agents, with rollback by rule between them."""
