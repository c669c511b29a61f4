"""Reverse Chain: from the API that does a task backwards to calls that can run (Reverse Chain, 2).

Files, in the order in which a run meets them:

- `state.py`: what a run keeps: frames, the stack of those in work, calls, the plan.
- `frames.py`: how frames hang together: paths, purposes, what still counts, what is next.
- `select_api.py`: begins a run, selects the API that does the task, and searches again where none fits.
- `offers.py`: the APIs that may give an argument, by JSON Schema.
- `outcomes.py`: the decision about arguments: a value, another API, or nobody.
- `complete.py`: completes the arguments of the call on top of the stack, and pushes the call that gives one.
- `ask_user.py`: asks the user, last, for what nothing gives.
- `call.py`: makes the deepest call, and takes the value that it gives by its path.
- `plan_text.py`: the plan as nested calls and as a tree.
- `answer.py`: the answer from the calls, or the plan as the answer.

The edges are in `graphs/reverse_chain.py`, and nowhere else.
"""
