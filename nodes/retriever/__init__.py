"""AnyTool's API retriever: agents search the catalogue and fill one pool (AnyTool, 4.1).

Files, in the order in which a run meets them:

- `state.py`: what a search keeps: agents, histories, reports, pool.
- `begin.py`: the beginning and the end, alone and within another graph.
- `coordinate.py`: the join of a wave of turns, and who goes on.
- `agents.py`: a turn of the meta, category and tool agents, and of the flat agent (table 3).
- `functions.py`: what each kind of agent can call (table 8).
- `acts.py`: what these functions do.
- `sight.py`: what agents see of the catalogue, sorted by what is wanted.
- `check.py`: the check whether the pool suffices.
- `baselines.py`: the plain agent and retrieval by embeddings (A.4, A.5).

What a search takes and gives stands in `nodes/search_io.py`, the agents' record in `nodes/agents.py`. The edges are in
`graphs/retriever.py`.
"""
