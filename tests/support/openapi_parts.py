"""Parts of an OpenAPI document, and where its arguments go."""

STRING = {"type": "string"}


def query(name, **more):
    return {"name": name, "in": "query", "schema": STRING} | more


def body(schema, media_type="application/json", **more):
    return {"requestBody": {"content": {media_type: {"schema": schema} | more}}}


def placed(made):
    """Where each argument goes: (its name, the name on the wire, the place)."""
    return [(p["argument"], p["name"], p["location"]) for p in made.binding["placements"]]
