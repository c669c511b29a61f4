"""AnyTool: the retriever searches, a solver answers with its pool, and reflection wakes its agents again.

Files, in the order in which a run meets them:

- `state.py`: what a run keeps: pool, failures, verdict, wakings.
- `begin.py`: the beginning of a run.
- `solve.py`: the pool is handed to the solver.
- `reflect.py`: the reflection, the re-activation order, and what is delivered.

The retriever is `nodes/retriever/`, the solver `nodes/solver/`, the judge `nodes/judge/`; the wakers, which quiver has
too, stand in `nodes/waking.py`. The edges are in `graphs/anytool.py`.
"""
