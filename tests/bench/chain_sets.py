"""Published sets with nested calls, each read into the same cases: a request, its APIs, the calls that are right.

The data is found by TOOLQUIVER_DATA, or in the folder beside this repository.
"""

from __future__ import annotations

import ast
import csv
import gzip
import io
import json
import re
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from tests.bench.nested import Nested
from tests.bench.search_queries import DATA
from toolquiver.catalog import API, api_id
from toolquiver.catalog.openapi import Document, Settings, document_uri

_REFERENCE = re.compile(r"\$?(var\d+)(?:\.([\w.\[\]]+))?\$?")
_TYPES = {"str": "string", "int": "integer", "float": "number", "bool": "boolean", "list": "array", "dict": "object"}
_KINDS = {"string", "integer", "number", "boolean", "array", "object"}


class Case(NamedTuple):
    """A request, what was said before it, its APIs, and the calls that nothing else takes from.

    `asked` are the arguments that the user must be asked for; None where nothing is to be asked. Of a `path` only the
    order of the APIs is known, and no arguments.
    """

    id: str
    query: str
    apis: list[API]
    gold: list[Nested]
    conversation: tuple[str, ...] = ()
    asked: frozenset[str] | None = None
    path: bool = False


def nestful(part: str) -> list[Case]:
    """NESTFUL's `executable`, `glaive` or `sgd`: all APIs of the part are the candidates."""
    spec = json.loads(gzip.decompress((DATA / "nestful" / f"{part}_spec.json.gz").read_bytes()))
    apis = [
        an_api(
            one["name"],
            one["description"],
            one.get("query_parameters") or one.get("arguments") or {},
            one.get("output_parameters"),
        )
        for one in spec
    ]
    return [Case(f"{part}-{row['id']}", row["input"], apis, _linked(row["output"])) for row in _rows("nestful", part)]


def _linked(calls: list[dict[str, Any]]) -> list[Nested]:
    """NESTFUL's calls, references to earlier ones as the calls themselves; the last entry only collects results."""
    made: dict[str, Nested] = {}
    for call in calls:
        if call["name"] == "var_result":
            continue
        arguments = {}
        for name, value in call["arguments"].items():
            found = _REFERENCE.fullmatch(value) if isinstance(value, str) else None
            arguments[name] = made[found[1]] if found and found[1] in made else value
        made[call["label"]] = Nested(call["name"], arguments)
    return _roots(list(made.values()))


def seal_tools(part: str) -> list[Case]:
    """The nested rows of a part of Seal-Tools; the candidates are the needed APIs."""
    tools = {one["api_name"]: one for one in _rows("seal_tools", "tool")}
    found = []
    for row in _rows("seal_tools", part):
        made, given = list[Nested](), dict[str, Nested]()
        for call in row["calling"]:
            linked = {name: given.get(str(value), value) for name, value in call["parameters"].items()}
            made.append(Nested(call["api"], linked))
            given |= dict.fromkeys(call["responses"], made[-1])
        if any(isinstance(value, Nested) for call in made for value in call.arguments.values()):
            needed = [tools[name] for name in dict.fromkeys(call.api for call in made) if name in tools]
            apis = [
                an_api(one["api_name"], one["api_description"], one["parameters"], one["responses"], one["required"])
                for one in needed
            ]
            found.append(Case(row["id"], row["query"], apis, _roots(made)))
    return found


def api_bank(part: str) -> list[Case]:
    """API-Bank's dialogues up to their last call; a value that an earlier call of the dialogue returned is nested."""
    with gzip.open(DATA / "api_bank" / "all_apis.csv.gz", "rt", encoding="utf-8") as file:
        apis = {
            row["类名"]: _described(row["类名"], row["api_info"]) for row in csv.DictReader(io.StringIO(file.read()))
        }
    return [case for row in _rows("api_bank", part) if (case := _dialogue(row, apis))]


def _described(name: str, text: str) -> API:
    """An API as its class describes it, in Python's assignments, which are read and not run."""
    fields = {"description": "", "input_parameters": {}, "output_parameters": {}}
    for statement in ast.parse(text).body if "=" in text else ():  # of one API nothing is told
        if isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Name):
            value = ast.literal_eval(statement.value)
            if isinstance(value, dict | str):  # a few say it otherwise, or not at all
                fields[statement.targets[0].id] = value
    return an_api(name, fields["description"], fields["input_parameters"], fields["output_parameters"], every=True)


def _dialogue(row: dict[str, Any], apis: dict[str, API]) -> Case | None:
    said, made, outputs = list[str](), list[Nested](), dict[str, Nested]()
    for turn in row["turns"]:
        if turn["role"] != "API":
            said.append(turn.get("text", ""))
            continue
        if turn["api_name"] not in apis:
            continue
        made.append(Nested(turn["api_name"], {k: outputs.get(str(v), v) for k, v in turn["param_dict"].items()}))
        output = turn["result"].get("output")
        if isinstance(output, dict):
            outputs |= {str(value): made[-1] for value in output.values()}
    if not made or not said:
        return None
    needed = [apis[name] for name in dict.fromkeys(call.api for call in made)]
    asked, *answers = [text for text in said if text]
    return Case(row["file"], asked, needed, _roots(made)[-1:], tuple(answers))


def tmdb() -> list[Case]:
    """RestBench's questions to TMDB: all 54 endpoints are candidates, and the gold is a path without arguments."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "tmdb.json"
        path.write_bytes(gzip.decompress((DATA / "restbench" / "tmdb_oas.json.gz").read_bytes()))
        found = list(Document(document_uri(str(path)), Settings()).apis("openapi:tmdb"))
    named = {_plain(f"{api.method} {api.binding['path']}"): api.name for api in found}
    cases = []
    for row in _rows("restbench", "tmdb"):
        chain = Nested("", {})
        for step in row["solution"]:  # the earlier call stands for what the later takes from it
            chain = Nested(named.get(_plain(step), step), {"": chain} if chain.api else {})
        cases.append(Case(f"tmdb-{row['id']}", row["query"], found, [chain], path=True))
    return cases


def _plain(path: str) -> str:
    """A path without the names of its parameters: the golds misspell some."""
    return re.sub(r"{\w+}", "{}", path.strip())


def bfcl_missing() -> list[Case]:
    """BFCL's turns in which a parameter is missing: the one whose value the user gives in the next turn."""
    documents = json.loads(gzip.decompress((DATA / "bfcl" / "multi_turn_func_doc.json.gz").read_bytes()))
    functions = {one["name"]: one for functions in documents.values() for one in functions}
    found = []
    for row in _rows("bfcl", "multi_turn_miss_param"):
        turns = [" ".join(message["content"] for message in turn) for turn in row["question"]]
        for number, calls in enumerate(row["ground_truth"][:-1]):
            after = row["ground_truth"][number + 1]
            if calls or not after:
                continue
            call = ast.parse(after[-1], mode="eval").body
            assert isinstance(call, ast.Call)
            name = ast.unparse(call.func)
            given = {str(word.arg): ast.literal_eval(word.value) for word in call.keywords}
            missing = {
                k
                for k, v in given.items()
                if str(v) in turns[number + 1] and str(v) not in " ".join(turns[: number + 1])
            }
            if name in functions and missing:
                one = functions[name]
                parameters, outputs = one["parameters"], one.get("response", {}).get("properties")
                api = an_api(name, one["description"], parameters["properties"], outputs, parameters["required"])
                asked = frozenset(missing)
                found.append(Case(f"{row['id']}-{number}", turns[number], [api], [], tuple(turns[:number]), asked))
    return found


SETS: dict[str, Callable[[], list[Case]]] = {
    "nestful executable": lambda: nestful("executable"),
    "nestful glaive": lambda: nestful("glaive"),
    "nestful sgd": lambda: nestful("sgd"),
    "seal-tools nested": lambda: [
        case for part in ("dev", "test_in_domain", "test_out_domain") for case in seal_tools(part)
    ],
    "api-bank": lambda: api_bank("level_1_given_desc"),
    "restbench tmdb": tmdb,
    "bfcl missing parameter": bfcl_missing,
}


def an_api(
    name: str,
    text: str,
    parameters: dict[str, Any],
    outputs: Any,
    required: list[str] | None = None,
    *,
    every: bool = False,
) -> API:
    """An API of a set's own description of it."""
    properties = {key: _schema(one) for key, one in parameters.items()}
    needed = [key for key, one in parameters.items() if every or str(one.get("required")) == "True"]
    return API(
        id=api_id("bench", "bench", name),
        name=name,
        description=text,
        parameters={"type": "object", "properties": properties, "required": needed if required is None else required},
        output={"type": "object", "properties": {key: _schema(one) for key, one in outputs.items()}}
        if outputs
        else None,
        tool="bench",
        category="bench",
    )


def _schema(one: dict[str, Any]) -> dict[str, Any]:
    kind = str(one.get("type", "")).lower()
    kind = _TYPES.get(kind, kind)
    options = [value for value in one.get("enum") or one.get("allowed_values") or [] if value]
    found = {"type": kind} if kind in _KINDS else {}
    found |= {"description": str(one["description"])} if one.get("description") else {}
    return found | ({"enum": options} if options else {})


def _roots(calls: list[Nested]) -> list[Nested]:
    """The calls that no other takes from."""
    taken = [value for call in calls for value in call.arguments.values() if isinstance(value, Nested)]
    return [call for call in calls if not any(call is other for other in taken)]


def _rows(folder: str, name: str) -> Iterator[dict[str, Any]]:
    path = Path(DATA / folder / f"{name}.jsonl.gz")
    with gzip.open(path, "rt", encoding="utf-8") as file:
        yield from (json.loads(line) for line in file)
