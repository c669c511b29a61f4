"""The judge: is a query solvable, does an answer solve it, which of two answers is better?

Files:

- `case.py`: the case that is given, and which of the three questions it asks; the first question.
- `verdict.py`: does the answer solve the query? The judge sees the results of the calls.
- `prefer.py`: which of two answers is better, asked in both orders.

The first question is also AnyTool's and stands in `nodes/solvability.py`; votes stand in `nodes/votes.py`. The edges
are in `graphs/judge.py`.
"""
