"""AnyTool: agents search the catalogue, a solver answers with their pool, and reflection wakes them again.

Files, in the order in which a run meets them:

- `state.py`: what a run keeps: agents, histories, pool, failures, verdict, wakings.
- `begin.py`: the beginning of a run; the end of a search that stands alone.
- `functions.py`: what each kind of agent can call (table 8).
- `sight.py`: what agents see of the catalogue, sorted by what is wanted.
- `turn.py`: one turn of an agent.
- `pool.py`: the pool, and the check whether it suffices.
- `agents.py`: meta, category and tool agents; the flat agent (table 3).
- `baselines.py`: the plain agent and retrieval by embeddings (A.4, A.5).
- `coordinate.py`: the join of a wave of turns, and who goes on.
- `solve.py`: the pool is handed to the solver.
- `reflect.py`: the reflection, the re-activation order, and what is delivered.
- `embedded.py`: the search as a part of quiver.

The agents' records and the wakers, which quiver has too, stand in `nodes/agents.py` and `nodes/waking.py`. The judge
is `nodes/judge/`. The edges are in `graphs/retriever.py` and `graphs/anytool.py`.
"""
