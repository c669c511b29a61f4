"""ToolBench's six groups of questions, and AnyToolBench (anytool.txt, 5 and A.7).

Calls give what was recorded for them in published trajectories, otherwise they fail as `not_recorded`, give what the
same API answered to other arguments (`replay`), or a simulator makes answers up. No program can say whether an answer
is right: that is a judge's work. `labels` say whether a question is in AnyTool's filtered set (`anytool_filtered`) and
in StableToolBench's solvable one (`stable_solvable`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property

from pydantic import BaseModel, ConfigDict, Field, JsonValue

from toolquiver.calling.replay import Recordings, import_toolbench, replay_callers
from toolquiver.catalog import API, ApiId, Catalog, Source
from toolquiver.catalog.named import load_catalog
from toolquiver.catalog.records import slug
from toolquiver.catalog.toolbench import read_toolbench
from toolquiver.evaluation.datasets.gold import gold_of
from toolquiver.evaluation.datasets.loaded import Loaded, Options, Subset
from toolquiver.evaluation.datasets.reading import data_folder, part, rows
from toolquiver.evaluation.datasets.scoring import called_score, found_score, reached_score
from toolquiver.evaluation.records import Metric, Question, Resources, Result

GROUPS = ("G1_instruction", "G1_tool", "G1_category", "G2_instruction", "G2_category", "G3_instruction")
SOURCE = Source(key="toolbench:toolbench16k", kind="toolbench")

Place = tuple[str, str, str]


class _Named(BaseModel):
    model_config = ConfigDict(extra="ignore")

    category_name: str
    tool_name: str
    api_name: str

    @property
    def place(self) -> Place:
        """Category, tool and name in the spelling of ids."""
        return slug(self.category_name), slug(self.tool_name), slug(self.api_name)


class _Row(BaseModel):
    model_config = ConfigDict(extra="ignore")

    query_id: int
    query: str
    relevant: list[tuple[str, str]] = Field(alias="relevant APIs")
    stable_solvable: bool
    anytool_filtered: bool
    api_list: list[_Named]


class _OpenRow(BaseModel):
    model_config = ConfigDict(extra="ignore")

    query_id: str
    query: str
    final_answer: str
    gt_api_list: list[_Named]


def toolbench(name: str, options: Options, *, groups: Sequence[str] = GROUPS) -> Loaded:
    """The questions of these groups, asked over the candidates that come with them or over the whole catalogue.

    Raises:
        InputError: the data are not there, or broken; the message names the line.
        CatalogError: the catalogue cannot be used.
    """
    world = _World(options)
    found = [
        _question(group, row, world.places, given=options.pool != "catalogue")
        for group in groups
        for _, row in rows(part(world.folder, f"toolbench_queries/{group}.jsonl"), _Row, "query_id")
        if _kept(row, options.subset)
    ]
    if options.subset == "recorded":
        found = [one for one in found if one.gold_apis and all(map(world.is_recorded, one.gold_apis))]
    return Loaded(name, found, world.resources, _score)


def anytoolbench(name: str, options: Options) -> Loaded:
    """AnyToolBench: questions over the whole catalogue, with an answer of GPT-4 that people have checked.

    Raises:
        InputError: the data are not there, or broken; the message names the line.
        CatalogError: the catalogue cannot be used.
    """
    world = _World(options)
    read = rows(part(world.folder, "toolbench_queries/anytoolbench.jsonl"), _OpenRow, "query_id")
    return Loaded(name, [_open_question(row, world.places) for _, row in read], world.resources, _score)


class _World:
    """The data's folder, the ids of the catalogue's APIs by their names, and what they answer."""

    def __init__(self, options: Options) -> None:
        self._options = options
        self.folder = data_folder(options.folder)
        self._catalog = load_catalog(options.catalog) if options.catalog else None
        file = None if self._catalog else part(self.folder, "toolbench/catalogue_toolbench16k.jsonl")
        self._apis = self._catalog.apis() if self._catalog else read_toolbench(file, SOURCE.key) if file else []
        self.places = _places(self._apis)

    def resources(self) -> Resources:
        """The catalogue, and callers that replay."""
        catalog = self._catalog
        if catalog is None:
            catalog = Catalog.create()
            catalog.sync(SOURCE, self._apis)
        chosen = self._options
        callers = replay_callers(catalog, self._recordings, chosen.simulator, replay=chosen.replay)
        return Resources(catalog=catalog, callers=callers, recorded=self._recordings.texts)

    def is_recorded(self, api: ApiId) -> bool:
        """Whether an answer of this API is recorded, to whatever arguments."""
        return bool(self._recordings.examples(api, 1))

    @cached_property
    def _recordings(self) -> Recordings:
        recordings = Recordings.create()
        import_toolbench(part(self.folder, "toolbench_responses/observed_calls.jsonl"), recordings, self._apis)
        return recordings


def _places(apis: Iterable[API]) -> dict[Place, ApiId]:
    """Of several APIs of one name the first: golds cannot tell them apart."""
    found: dict[Place, ApiId] = {}
    for api in apis:
        found.setdefault((slug(api.category), slug(api.tool), slug(api.name)), api.id)
    return found


def _kept(row: _Row, subset: Subset) -> bool:
    flags = {"anytool-filtered": row.anytool_filtered, "stable-solvable": row.stable_solvable}
    return flags.get(subset, True)


def _question(group: str, row: _Row, places: Mapping[Place, ApiId], *, given: bool) -> Question:
    known = {(one.tool_name, one.api_name): places.get(one.place) for one in row.api_list}
    gold = gold_of((f"{tool}/{name}", known.get((tool, name))) for tool, name in row.relevant)
    labels: dict[str, JsonValue] = {"stable_solvable": row.stable_solvable, "anytool_filtered": row.anytool_filtered}
    return Question(
        id=f"{group}/{row.query_id}",
        query=row.query.strip(),
        group=group,
        candidates=tuple(dict.fromkeys(id_ for id_ in known.values() if id_)) if given else None,
        gold_apis=gold.apis,
        labels=labels | gold.labels,
    )


def _open_question(row: _OpenRow, places: Mapping[Place, ApiId]) -> Question:
    gold = gold_of(("/".join(one.place), places.get(one.place)) for one in row.gt_api_list)
    return Question(
        id=row.query_id, query=row.query.strip(), answer=row.final_answer, gold_apis=gold.apis, labels=gold.labels
    )


def _score(question: Question, result: Result) -> Metric:
    return {**called_score(question, result), **reached_score(question, result), **found_score(question, result)}
