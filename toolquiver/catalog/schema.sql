CREATE TABLE tool (
    key INTEGER PRIMARY KEY,
    category TEXT NOT NULL,
    name TEXT NOT NULL,
    description TEXT NOT NULL DEFAULT '',
    document INTEGER UNIQUE,
    UNIQUE (category, name)
);
CREATE TABLE api (
    key INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    function TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    description TEXT NOT NULL,
    method TEXT NOT NULL,
    effect TEXT NOT NULL DEFAULT 'unknown',
    parameters TEXT NOT NULL,
    output TEXT,
    source TEXT NOT NULL,
    binding TEXT NOT NULL DEFAULT '{}',
    hash TEXT NOT NULL DEFAULT '',
    tool INTEGER NOT NULL REFERENCES tool (key),
    document INTEGER NOT NULL UNIQUE
);
CREATE INDEX api_tool ON api (tool);
CREATE INDEX api_source ON api (source);
CREATE TABLE source (
    key TEXT PRIMARY KEY,
    kind TEXT NOT NULL,
    location TEXT NOT NULL,
    settings TEXT NOT NULL DEFAULT '{}'
);
CREATE TABLE output (
    field TEXT NOT NULL,
    part INTEGER NOT NULL,
    api INTEGER NOT NULL REFERENCES api (key)
);
CREATE INDEX output_field ON output (field);
CREATE INDEX output_api ON output (api);
CREATE INDEX api_name ON api (name COLLATE NOCASE);
CREATE INDEX tool_name ON tool (name COLLATE NOCASE);
CREATE TABLE segment (
    key INTEGER PRIMARY KEY,
    level TEXT NOT NULL,
    first INTEGER NOT NULL,
    owners BLOB NOT NULL
);
CREATE TABLE vectors (
    level TEXT NOT NULL,
    block INTEGER NOT NULL,
    rows BLOB NOT NULL,
    PRIMARY KEY (level, block)
);
CREATE TABLE posting (
    segment INTEGER NOT NULL REFERENCES segment (key),
    term TEXT NOT NULL,
    entries BLOB NOT NULL,
    PRIMARY KEY (segment, term)
) WITHOUT ROWID;
CREATE TABLE removed (
    level TEXT NOT NULL,
    document INTEGER NOT NULL
);
