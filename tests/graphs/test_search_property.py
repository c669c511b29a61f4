"""Whatever the agents do: the pool, the order of waking and the budget hold, and checkpoints grow with the turns."""

import asyncio
import itertools
import random
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.graphs.searching import Policy, Search, a_catalog, choices, only, perfect_category, perfect_meta
from tests.graphs.test_anytool import tools_of
from toolquiver.context import Context
from toolquiver.errors import InputError
from toolquiver.graphs import anytool, retriever
from toolquiver.models import scripted
from toolquiver.models.scripted import _Calling

sqlite = pytest.importorskip("langgraph.checkpoint.sqlite")

CONFIG = {"configurable": {"thread_id": "one"}, "recursion_limit": 2_000}
WORDS = ["rain", "lions", ["nonsense"], 7, ""]
ORDER = ("tool", "category", "meta")


class Erratic(Policy):
    """Agents that do anything that they can, silence and nonsense too, always the same in the same conversation."""

    def __init__(self, seed, *, certain=False):
        super().__init__()
        self.seed, self.certain = seed, certain
        self.plays = dict.fromkeys(("meta", "category", "tool", "flat", "solver"), self.play)
        self.decides = {
            "Solvability": lambda messages: {
                "reason": "Perhaps.",
                "verdict": "unsolvable" if certain else self.chance(messages).choice(["solvable", "unsolvable"]),
            },
            "Judgement": lambda messages: {
                "reason": "Perhaps.",
                "verdict": self.chance(messages).choice(["solved", "unsolved", "unsure"]),
            },
        }

    def chance(self, messages):
        return random.Random(f"{self.seed}{[(m.text, getattr(m, 'tool_calls', '')) for m in messages]}")

    def play(self, messages, schema):
        chance = self.chance(messages)
        if chance.random() < 0.1:
            return "Hm."
        calls = [chance.choice(schema["functions"]) for _ in range(chance.randint(1, 3))]
        return [(one["name"], self.arguments(one, chance)) for one in calls]

    def arguments(self, function, chance):
        """Some of the names that there are, sometimes one that there is not."""
        found = {}
        for key, part in function["parameters"]["properties"].items():
            if part.get("type") == "array" and "enum" in part["items"]:
                names = part["items"]["enum"]
                found[key] = chance.sample(names, min(len(names), chance.randint(1, 4)))
                found[key] += ["nonsense"] * (chance.random() < 0.2)
            elif "enum" in part:
                found[key] = chance.choice(part["enum"])
            else:
                found[key] = chance.randint(1, 3) if part.get("type") == "integer" else chance.choice(WORDS)
        return found


class Restless(Erratic):
    """Agents that never end by their own word, and judges that are never content: so all levels are woken."""

    def __init__(self, seed, *, certain=False):
        super().__init__(seed, certain=certain)
        self.decides["Judgement"] = lambda messages: {
            "reason": "Perhaps.",
            "verdict": self.chance(messages).choice(["unsolved", "unsure"]),
        }

    def play(self, messages, schema):
        goes_on = [one for one in schema["functions"] if one["name"] != "finish_search"]
        return super().play(messages, schema | {"functions": goes_on or schema["functions"]})


class Crowded(Erratic):
    """Agents of which the upper two levels give away all that there is at once, so that many work side by side."""

    def __init__(self, seed, *, certain=False):
        super().__init__(seed, certain=certain)
        self.plays |= {"meta": perfect_meta, "category": perfect_category}


class Slow(_Calling):
    """Lets about every other answer wait, so that an early stop finds calls under way."""

    async def _agenerate(self, messages, *_, **options):
        result = self._generate(messages, **options)
        await asyncio.sleep(0.02 if self.script.chance(messages).random() < 0.5 else 0)
        return result


def slow(policy):
    return Slow(script=policy, profile=scripted(policy).profile)


AGENTS = st.sampled_from([Erratic, Restless, Crowded])
MODELS = st.sampled_from([scripted, slow])
SETTINGS = st.fixed_dictionaries(
    {
        "pool_size": st.integers(1, 20),
        "tools_per_agent": st.integers(1, 6),
        "agent_turns": st.integers(1, 6),
        "page": st.integers(2, 20),
        "parallel_agents": st.sampled_from([1, 2, 32]),
        "agent_context": st.sampled_from([50, 4_000]),
        "search_function": st.booleans(),
        "check_function": st.booleans(),
        "retriever": st.sampled_from(["hierarchy", "hierarchy", "flat"]),
        "least_pool": st.sampled_from([0, 0, 6]),
        "solver": st.sampled_from(["dfsdt", "react"]),
    }
)
PLAIN = {"retriever": "plain", "plain_detail": "details"}
SEEDS = st.integers(0, 10**6)
BUDGETS = st.integers(300, 20_000)
SEARCH = {name: Search(graph=graph) for name, graph in (("retriever", retriever), ("anytool", anytool))}
"""Made once: a catalogue takes longer than a run."""


def run(name, policy, model=scripted, **settings):
    """Every update of a run, and its result."""
    search = SEARCH[name]
    search.policy = policy
    updates, result = [], None
    context = Context(**{"call_retries": 0} | settings)
    stream = search.build(model=model(policy)).stream(
        {"query": "Tell of rain."}, CONFIG, context=context, stream_mode=["updates", "values"]
    )
    for mode, event in stream:
        if mode == "values":
            result = event
        else:
            updates += event.items()
    return updates, result


def holds(result, settings):
    """What must be so of every search."""
    agents = result["agents"].values()
    assert len(result["pool"]) == len(set(result["pool"])) <= settings["pool_size"]
    if not settings["least_pool"]:
        assert set(result["pool"]) <= {api for agent in agents for api in agent["added"]}
    assert {agent["status"] for agent in agents} <= {"finished", "parked"}
    assert all(agent["turns"] <= settings["agent_turns"] for agent in agents)
    given = Counter((agent["category"], tool) for agent in agents for tool in agent["tools"])
    assert all(times == 1 for times in given.values())
    assert all(len(agent["tools"]) <= settings["tools_per_agent"] for agent in agents)


def reports(updates):
    """What came of each turn of an agent, with the update that it is in."""
    return [
        (report, update)
        for name, update in updates
        if name.endswith("_agent")
        for report in (update or {}).get("reports", ())
    ]


@settings(max_examples=30)
@given(SEEDS, SETTINGS, AGENTS, MODELS)
def test_the_pool_and_the_agents_keep_their_limits(seed, limits, agents, model):
    updates, result = run("retriever", agents(seed), model, **limits)
    holds(result, limits)
    for _, update in updates:
        assert len((update or {}).get("pool", ())) <= limits["pool_size"]
    turns = Counter()
    for report, update in reports(updates):
        said = update.get("histories", {}).get(report["agent"], [])
        turns[report["agent"]] += report["outcome"] != "stopped"
        assert bool(said) == (report["outcome"] != "stopped")
        calls = [call["id"] for message in said if message.type == "ai" for call in message.tool_calls]
        assert calls == [message.tool_call_id for message in said if message.type == "tool"]
    assert turns == Counter({agent["id"]: agent["turns"] for agent in result["agents"].values()})


@settings(max_examples=30)
@given(SEEDS, SETTINGS, AGENTS, st.sampled_from(["none", "tools", "categories", "all"]), st.integers(0, 3))
def test_no_finished_agent_is_woken_and_levels_come_in_order(seed, limits, agents, reactivated, most):
    updates, result = run("anytool", agents(seed), **limits, reactivated=reactivated, max_reflections=most)
    holds(result, limits)
    finished = set()
    for _, update in updates:
        for agent in (update or {}).get("agents", {}).values():
            assert agent["id"] not in finished or agent["status"] == "finished"
            finished |= {agent["id"]} if agent["status"] == "finished" else set()
    allowed = {"none": 0, "tools": 1, "categories": 2, "all": 3}[reactivated]
    for reflection in range(most + 1):
        woken = [waking["level"] for waking in result["wakings"] if waking["reflection"] == reflection]
        assert woken == [level for level in ORDER[:allowed] if level in woken]
    assert result["reflections"] <= most
    assert not set(result["removed"]) & set(result["pool"])
    supported = any(call["ok"] and call["api"] not in result["removed"] for call in result["calls"])
    assert supported or result["status"] != "solved"


@settings(max_examples=30)
@given(
    st.builds(lambda agents, seed: agents(seed), AGENTS, SEEDS),
    MODELS,
    st.builds(dict.__or__, SETTINGS, st.sampled_from([{}, {}, PLAIN])),
    st.sampled_from(list(SEARCH)),
    BUDGETS,
)
def test_the_budget_is_never_passed(agents, model, limits, name, budget):
    try:
        _, result = run(name, agents, model, **limits, token_budget=budget, max_reflections=2)
    except InputError:  # not even the first turn fits
        return
    assert result["numbers"]["tokens"] <= budget
    assert len(result["pool"]) == len(set(result["pool"])) <= limits["pool_size"]


def histories(graph):
    """What each agent has said and heard, as it is kept."""
    kept = graph.get_state(CONFIG).values["histories"]
    return {agent: [(m.type, m.text, getattr(m, "tool_calls", None)) for m in said] for agent, said in kept.items()}


def always_another():
    """An agent that searches for something else at every turn."""
    calls = itertools.count()
    return lambda *_: [("search_apis", {"text": f"rain {next(calls)}"})]


def test_checkpoints_grow_with_the_turns_and_not_with_their_square(tmp_path):
    sizes = {}
    for turns in (40, 80, 160):
        search = Search(Policy(flat=always_another()))
        path = tmp_path / f"{turns}.db"
        with sqlite.SqliteSaver.from_conn_string(str(path)) as saver:
            context = Context(retriever="flat", agent_turns=turns, search_function=True, token_budget=10**9)
            graph = search.build(checkpointer=saver)
            result = graph.invoke({"query": "alpha"}, CONFIG, context=context)
            assert len(histories(graph)["flat"]) == 2 + 2 * turns
        assert result["agents"]["flat"]["turns"] == turns
        sizes[turns] = path.stat().st_size
    assert linear(sizes)


def linear(sizes):
    """Whether what is added by twice as many turns is about twice as much: 2 is linear, 4 is quadratic."""
    few, more, most = (sizes[turns] for turns in sorted(sizes))
    return (most - more) / (more - few) < 2.6


def size_of(search, path, **settings):
    """How large the file of checkpoints of a run is, and what came of it."""
    with sqlite.SqliteSaver.from_conn_string(str(path)) as saver:
        result = search.build(checkpointer=saver).invoke(
            {"query": "alpha"}, CONFIG, context=Context(**{"call_retries": 0, "token_budget": 10**9} | settings)
        )
    return path.stat().st_size, result


def always_calling():
    """A solver that makes another call at every turn."""
    numbers = itertools.count()
    return lambda _, schema: [(tools_of(schema)[0], {"note": str(next(numbers))})]


@pytest.mark.parametrize("solver", ["react", "dfsdt"])
def test_so_do_those_of_a_solver(solver, tmp_path):
    sizes = {}
    for calls in (20, 40, 80):
        search = Search(
            Policy(meta=only("Maps"), solver=always_calling()), graph=anytool, respond=lambda *_: "word " * 100
        )
        settings = {"solver": solver, "solver_calls": calls, "max_steps": calls + 5, "max_reflections": 0}
        sizes[calls], result = size_of(search, tmp_path / f"{calls}.db", **settings)
        assert len(result["calls"]) == calls
    assert linear(sizes)


def turning_pages():
    """A category agent that turns a page, and looks at something on it, at every turn."""
    turns = Counter()

    def play(_, schema):
        (category,) = choices(schema, "get_tools_in_category", "category_name")
        turns[category] += 1
        looked_at = choices(schema, "get_tool_descriptions", "tools")[-1:]
        return [
            ("get_tools_in_category", {"category_name": category, "page": turns[category] + 1}),
            ("get_tool_descriptions", {"tools": looked_at}),
        ]

    return play


def test_so_do_those_of_category_agents_that_turn_pages(tmp_path):
    catalog, sizes = a_catalog({"Weather": 420, "Music": 420}, apis=1), {}
    for turns in (20, 40, 80):
        search = Search(Policy(meta=only("Weather", "Music"), category=turning_pages()), catalog=catalog)
        settings = {"agent_turns": turns, "page": 5, "agent_context": 100}
        sizes[turns], result = size_of(search, tmp_path / f"{turns}.db", **settings)
        assert [agent["turns"] for agent in result["agents"].values()] == [2, turns, turns]
    assert linear(sizes)


def test_these_agents_play_every_part():
    asked = set()
    for seed in range(10):
        policy = Erratic(seed)
        run("anytool", policy, max_reflections=0)
        asked |= set(policy.kinds())
    assert asked == {"meta", "category", "tool", "solver"}


def test_they_are_woken_on_every_level_and_again():
    levels = []
    for seed in range(4):
        _, result = run("anytool", Restless(seed, certain=True), agent_turns=4, max_reflections=2)
        levels.append([(waking["reflection"], waking["level"]) for waking in result["wakings"]])
    assert sum([level for reflection, level in woken if reflection == 1] == list(ORDER) for woken in levels) >= 2
    assert sum(any(reflection == 2 for reflection, _ in woken) for woken in levels) >= 2


def test_a_turn_of_theirs_can_end_in_every_way():
    outcomes = Counter()
    for seed in range(6):
        for agents, limits in ((Crowded, {"pool_size": 6, "tools_per_agent": 1}), (Restless, {"token_budget": 9_000})):
            updates, _ = run("retriever", agents(seed), slow, **limits)
            outcomes.update(report["outcome"] for report, _ in reports(updates))
    assert outcomes.keys() == {"acts", "finishes", "idles", "stopped", "short"}
