"""EasyTool: documentation made into short instructions, and the four stages that use them.

Files of the graph `easytool`, in the order in which a document meets them:

- `state.py`: what goes in, what comes out, and what is kept between.
- `documents.py`: a tool's documentation as the model reads it; the beginning of a run.
- `describe.py`: what the tool is for, and each function in a line (4.1).
- `guideline.py`: a scenario with example arguments; checked by code, and written again where it does not hold (4.2).
- `prove.py`: the call that proves an example.
- `store.py`: what holds, in the catalogue.
- `costs.py`: what a tool will cost, before any call.

Files of the graph `easytool_pipeline`:

- `pipeline_state.py`: what a run keeps.
- `plan.py`: task planning, and tool retrieval for each subtask (3.1).
- `select.py`: tool selection, and the arguments of the call.
- `execute.py`: the call, and what follows from it: another tool, the next subtask, the end.
- `answer.py`: the final answer.

The edges are in `graphs/easytool.py` and `graphs/easytool_pipeline.py`, and nowhere else.
"""
