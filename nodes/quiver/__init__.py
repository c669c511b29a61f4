"""Quiver: a planner writes a short program over the APIs that search finds, and code runs it call by call.

Files, in the order in which a run meets them:

- `state.py`: what a run keeps: programs, calls, lookups, frames, the answer.
- `sight.py`: what prompts show of a run, and how much of it.
- `find.py`: the candidates of a request; what `search_apis` and `api_docs` return.
- `plan.py`: the planning agent's next program, or its direct answer.
- `steps.py`, `fill.py`: the same for models that plan one call at a time.
- `run.py`: runs the program; says what comes next; makes a call.
- `rollback.py`: the rule after a failed call.
- `chain.py`: the reverse chain for an argument that a program leaves open.
- `ask_user.py`: asks the user for what no API gives.
- `answer.py`: the answer in sentences, each with the calls it stands on.
- `verify.py`: the verifier's verdict, the reflection, and the result that is delivered.

Programs themselves are in `toolquiver/programs/`, the edges in `graphs/quiver.py`.
"""
