"""Smurfs: a planner splits the request; each subtask is solved depth first, and a rule goes back where a tool fails.

Files, in the order in which a run meets them:

- `state.py`: what a run keeps: subtasks, tool lists, local and global memory.
- `sight.py`: what prompts show: tools and their documents, memories, and the calls that failed.
- `plan.py`: the planner, and the beginning of a run.
- `check.py`: the tool check, and the direct answer.
- `retrieve.py`: the candidates of a subtask.
- `execute.py`: the executor thinks, chooses a tool and fills its arguments.
- `call.py`: makes the call.
- `rollback.py`: the rule after a failure, within a step and to the step before.
- `verify.py`: the verifier, the memories, and what follows: the next step or the next subtask.
- `answer.py`: the answer agent: of a step, of all trajectories, of the whole request.

The edges are in `graphs/smurfs.py`, and nowhere else.
"""
