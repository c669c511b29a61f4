"""EasyTool's four stages, which answer questions with the instructions (EasyTool, 3.1).

- `state.py`: what a run keeps.
- `plan.py`: task planning, and tool retrieval for each subtask.
- `select.py`: tool selection, and the arguments of the call.
- `execute.py`: the call, and what follows from it: another tool, the next subtask, the end.
- `answer.py`: the final answer.

The edges are in `graphs/easytool_pipeline.py`.
"""
