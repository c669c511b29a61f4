"""Search in the words of a model: what the executor, the chain and the solvers still use."""
