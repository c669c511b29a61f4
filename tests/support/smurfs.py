"""A stage for Smurfs: scripted roles, scripted APIs, and the graph bound to both."""

from collections import Counter, defaultdict

from langgraph.types import Command

from tests.support.script import SOURCE, RecordingCaller, Script
from toolquiver.catalog import Catalog
from toolquiver.contexts import SmurfsContext
from toolquiver.graphs import smurfs
from toolquiver.models import scripted

SMURFS_THREAD = {"configurable": {"thread_id": "one"}}
NO_TOOL = "none of these"


def in_turn(*answers):
    """The first answer, then the second, and so on; the last one for ever."""
    left = list(answers)
    return lambda _: left.pop(0) if len(left) > 1 else left[0]


def tools_offered(question):
    """The tools that a choice is among."""
    return [name for name in question.schema["properties"]["tool"]["enum"] if name != NO_TOOL]


def numbered():
    """Arguments that are different each time, so that no call is made twice."""
    made = Counter()

    def arguments(_):
        made["note"] += 1
        return {"arguments": {"note": f"note {made['note']}"}}

    return arguments


class SmurfsStage:
    """A catalogue of these APIs, what they return, and what each role says, by the title of its decision.

    The titles are Plan, NeedsTool, DirectAnswer, Thought, Choice, Filled, Digest, Verdict and FinalAnswer. Unless told
    otherwise the request is the only subtask, the first tool is chosen, and the verifier is content.
    """

    def __init__(self, *apis, respond=lambda api, _: f"{api.name} says so", **answers):
        usual = {"NeedsTool": {"needs_tool": True}, "Verdict": {"hint": "", "done": True}, "Filled": numbered()}
        self.catalog = Catalog.create()
        self.catalog.add(*apis)
        self.ids = [api.id for api in apis]
        self.script = Script(**(usual | answers))
        self.caller = RecordingCaller(respond)

    def titles(self):
        return self.script.titles()

    def texts(self, title):
        """What the model was shown for each decision of this title."""
        return self.script.texts(title)

    def offered(self):
        """The tools that each choice was among."""
        return [tools_offered(question) for question in self.script.asked if question.title == "Choice"]

    def made(self):
        """The names of the APIs that were called, in order."""
        return [name for name, _ in self.caller.made]

    def build(self, **more):
        bound = {"model": scripted(self.script), "catalog": self.catalog, "callers": {SOURCE: self.caller}}
        return smurfs.build(**(bound | more))

    def ask(self, query="Where is it?", *, saver=None, candidates=True, **settings):
        """One run up to its end or its question; the candidates are all APIs, unless search is to find them."""
        given = query if isinstance(query, Command) else {"query": query}
        if isinstance(given, dict) and candidates:
            given["candidates"] = self.ids
        return self.build(checkpointer=saver).invoke(given, SMURFS_THREAD, context=smurfs_settings(**settings))

    def visits(self, query="Where is it?", **settings):
        """The nodes of one run, in order, and its last state."""
        asked = {"query": query, "candidates": self.ids}
        nodes, state = [], {}
        graph, context = self.build(), smurfs_settings(**settings)
        for mode, event in graph.stream(asked, context=context, stream_mode=["updates", "values"]):
            if mode == "updates":
                nodes += event
            else:
                state = event
        return nodes, state


def smurfs_settings(**settings):
    return SmurfsContext(**{"call_retries": 0, "today": "2026-11-29", "time_zone": "UTC"} | settings)


class SmurfsReference:
    """The rollback as the paper tells it (3.4), in another way than the nodes: by what is banned after which steps.

    A trajectory is the tuple of its steps' places in global memory. An API that failed after a trajectory is banned
    there, and so is the API of a step that led nowhere. The tool list of a step is the pool without what is banned.
    """

    def __init__(self, pool=(), history=None):
        self.pool = pool
        self.history = [] if history is None else history  # global memory: the APIs of all steps, in order
        self.trajectory = ()
        self.banned = defaultdict(set)
        self.chosen = None
        self.calls = 0
        self.solved = False

    def allowed(self, trajectory):
        return [api for api in self.pool if api not in self.banned[trajectory]]

    def lists(self):
        return [self.allowed(self.trajectory[:length]) for length in range(len(self.trajectory) + 1)]

    def choose(self, api):
        assert api in self.allowed(self.trajectory), "an API that is banned at this step was chosen again"
        self.chosen = api

    def choose_none(self):
        self.banned[self.trajectory] |= set(self.pool)

    def called(self):
        self.calls += 1

    def fail(self):
        self.banned[self.trajectory].add(self.chosen)

    def step_back(self):
        """Back by one step, where there is one and its list is empty."""
        assert not self.allowed(self.trajectory)
        if self.trajectory:
            *before, last = self.trajectory
            self.trajectory = tuple(before)
            self.banned[self.trajectory].add(self.history[last])

    def keep(self, *, done):
        self.history.append(self.chosen)
        self.trajectory = (*self.trajectory, len(self.history) - 1)
        self.solved = done

    def exhausted(self):
        return not self.trajectory and not self.allowed(())

    def may_go_on(self, *, max_steps, max_calls):
        """Whether another call is due."""
        return not self.solved and not self.exhausted() and len(self.trajectory) < max_steps and self.calls < max_calls
