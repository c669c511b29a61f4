"""EasyTool: documentation made into short instructions (EasyTool, 4).

Files, in the order in which a document meets them:

- `state.py`: what goes in, what comes out, and what is kept between.
- `documents.py`: a tool's documentation as the model reads it; the beginning of a run.
- `describe.py`: what the tool is for, and each function in a line (4.1).
- `guideline.py`: a scenario with example arguments; checked by code, and written again where it does not hold (4.2).
- `prove.py`: the call that proves an example.
- `store.py`: what holds, in the catalogue.
- `costs.py`: what a tool will cost, before any call.

The edges are in `graphs/easytool.py`. The four stages that use the instructions are `nodes/easytool_pipeline/`.
"""
