"""Search over the catalogue: by rule, and by AnyTool's meta, category and tool agents."""
