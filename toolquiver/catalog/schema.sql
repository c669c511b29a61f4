CREATE TABLE tool (
    key INTEGER PRIMARY KEY,
    category TEXT NOT NULL,
    name TEXT NOT NULL,
    description TEXT NOT NULL DEFAULT '',
    UNIQUE (category, name)
);
CREATE TABLE api (
    key INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    function TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    description TEXT NOT NULL,
    method TEXT NOT NULL,
    parameters TEXT NOT NULL,
    output TEXT,
    source TEXT NOT NULL,
    binding TEXT NOT NULL DEFAULT '{}',
    hash TEXT NOT NULL DEFAULT '',
    tool INTEGER NOT NULL REFERENCES tool (key)
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
    api INTEGER NOT NULL REFERENCES api (key)
);
CREATE INDEX output_field ON output (field);
CREATE INDEX output_api ON output (api);
CREATE TABLE vector (
    api INTEGER PRIMARY KEY REFERENCES api (key),
    value BLOB NOT NULL
);
CREATE VIRTUAL TABLE api_text USING fts5 (
    name, description, tool, category, parameters, tokenize = 'porter unicode61 remove_diacritics 2'
);
