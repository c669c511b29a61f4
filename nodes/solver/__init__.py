"""The solvers: ReAct (CoT in AnyTool's paper) and DFSDT, with EcoAct's registration on demand under both.

Files, in the order in which a run meets them:

- `state.py`: what a run keeps: the conversation or the tree, the requests of a turn, the calls.
- `begin.py`: the APIs of a run: given, handed over, or found by search.
- `offer.py`: what a turn shows the model: the prompt and the functions.
- `turn.py`: one turn of the model, and how it is read: an answer, an end, requests.
- `act.py`: ReAct's turn, and the step from one turn to the next.
- `register.py`: EcoAct's `tool_register` and `tool_unregister`.
- `look_up.py`: `search_apis`, `api_docs`, and `show_result` for what was cut.
- `call.py`: one API call: checked, approved where it must be, made, recorded.
- `explore.py`: DFSDT's turn: a new node of the tree.
- `grow.py`: DFSDT's rule after a turn: deeper, or two levels up.
- `tree.py`: the tree: paths, children, what a re-expanded node is told.
- `embedded.py`: a solver's node within another graph.
- `finish.py`: how a run ended, and what is known where it had to stop.

The edges are in `graphs/react.py` and `graphs/dfsdt.py`. What a solver takes and gives as a part of another graph is in
`nodes/solver_io.py`.
"""
