"""What runs: one compiled state graph a file. `build(...)` makes a graph, `graph` is it."""
