"""What follows from a failed call is a rule: the API leaves its step, and with none left the step before goes too."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.programs import Programs, an_api, code, settings_of
from tests.support.savers import SAVERS, saving
from toolquiver.calling import FAILURE_KINDS, CallError
from toolquiver.nodes.quiver.rollback import CHOICES, MENDED_BY_ARGUMENTS, TRIES, banned_at, leaves

pytestmark = pytest.mark.usefixtures("strict")

NAMES = ("alpha", "bravo", "charlie")


# ---- the rule


class Reference:
    """The lists of Smurfs (3.3), kept by trajectory: what may not be chosen after which steps."""

    def __init__(self):
        self.banned = {}

    def ban(self, step, api):
        self.banned.setdefault(step, [])
        if api not in self.banned[step]:
            self.banned[step].append(api)
        self.banned = {one: apis for one, apis in self.banned.items() if one <= step}

    def lists(self):
        longest = max(self.banned, default=-1)
        return [self.banned.get(step, []) for step in range(longest + 1)]


class Search:
    """A depth-first search as Smurfs has it (3.3): calls answer or fail for good, and the rule does the rest."""

    def __init__(self, pool):
        self.pool, self.trail, self.aside, self.over = set(pool), [], [], False
        self.lists = Reference()

    def may_call(self, api):
        return api not in self.lists.banned.get(len(self.trail), [])

    def call(self, api, ok):
        if ok:
            self.trail.append(api)
            return
        self.lists.ban(len(self.trail), api)
        while self.is_empty() and not self.over:
            self.over = not self.trail
            if self.trail:
                self.aside.append(self.trail.pop())
                self.lists.ban(len(self.trail), self.aside[-1])

    def is_empty(self):
        gone = self.lists.banned.get(len(self.trail), [])
        return self.pool <= set(gone) or bool(self.trail and len(gone) >= CHOICES)


@given(st.lists(st.tuples(st.integers(0, 5), st.sampled_from(NAMES)), max_size=12))
def test_the_lists_are_those_of_the_reference(events):
    reference, lists = Reference(), []
    for step, api in events:
        before = json.dumps(lists)
        banned, old = banned_at(lists, step, api), lists
        assert json.dumps(old) == before, "the state is not changed in place"
        lists = banned
        reference.ban(step, api)
        assert lists == reference.lists()
        assert len(lists) == step + 1


def failed(kind, api="alpha"):
    return {"api": api, "failure": kind, "ok": False}


@pytest.mark.parametrize("kind", FAILURE_KINDS)
def test_an_api_stays_only_where_other_arguments_may_mend_it(kind):
    assert leaves(failed(kind), [failed(kind)]) == (kind not in MENDED_BY_ARGUMENTS)


@given(st.lists(st.sampled_from(NAMES), max_size=8), st.sampled_from(sorted(MENDED_BY_ARGUMENTS)))
def test_an_api_that_fails_too_often_in_its_step_leaves_it(names, kind):
    assert leaves(failed(kind), [failed(kind, api) for api in names]) == (names.count("alpha") >= TRIES)


# ---- runs


@pytest.fixture(params=SAVERS)
def saver(request, tmp_path):
    with saving(request.param, tmp_path / "state.db") as found:
        yield found


def breaking(*broken, kind="server_error", plans, apis=NAMES):
    """APIs of which these are broken for good."""

    def respond(api, _):
        if api.name in broken:
            raise CallError(kind, f"{api.name} is down.")
        return f"{api.name} says so"

    return Programs(*(an_api(name) for name in apis), plans=plans, respond=respond)


def test_an_api_that_failed_leaves_the_step_and_another_takes_its_place(saver):
    stage = breaking("alpha", plans=[code("answer = alpha('a')"), code("answer = bravo('a')")])
    result = stage.ask(saver=saver)
    assert (result["status"], [name for name, _ in stage.made()]) == ("solved", ["alpha", "bravo"])
    assert "alpha is down." in stage.told()
    assert "alpha cannot be used for this step" in stage.told()


def test_the_api_that_left_is_not_called_in_the_same_step_with_anything_else():
    plans = [code("answer = alpha('a')"), code("answer = alpha('b')"), code("answer = bravo('b')")]
    stage = breaking("alpha", plans=plans)
    result = stage.ask()
    assert stage.made() == [("alpha", {"note": "a"}), ("bravo", {"note": "b"})]
    assert "alpha is down." in stage.told()
    assert result["status"] == "solved"


def test_a_later_step_has_a_fresh_list():
    down = []

    def respond(api, _):
        if api.name == "alpha" and not down:
            down.append(None)
            raise CallError("forbidden", "Not now.")
        return "fine"

    plans = [code("answer = alpha('a')"), code("print(bravo('b'))"), code("answer = alpha('c')")]
    stage = Programs(*(an_api(name) for name in NAMES), plans=plans, respond=respond)
    assert stage.ask()["status"] == "solved"
    assert [name for name, _ in stage.made()] == ["alpha", "bravo", "alpha"]


def test_with_no_api_left_the_step_before_goes_too(saver):
    plans = [
        code("x = alpha('a')\nanswer = bravo(x)"),
        code("answer = charlie(x)"),
        code("answer = alpha('b')"),
        code("answer = charlie('z')"),
    ]
    down = {"now": True}

    def respond(api, arguments):
        if arguments["note"] != "a" and down["now"]:
            down["now"] = arguments["note"] != "b"
            raise CallError("server_error", f"{api.name} is down.")
        return f"{api.name} says so"

    stage = Programs(*(an_api(name) for name in NAMES), plans=plans, respond=respond)
    result = stage.ask(saver=saver)
    told = "\n".join(str(message.text) for message in stage.shown[-1])
    assert "The result of alpha before it is set aside" in told
    assert result["status"] == "solved"
    assert [(call["api"].rsplit("/", 1)[-1], call["ok"]) for call in result["calls"]][:4] == [
        ("alpha", True),
        ("bravo", False),
        ("charlie", False),
        ("alpha", False),
    ]


def stepping_back(depth):
    """The last of `depth` steps breaks with every API; so does each step before it, but for its first choice."""
    apis = [f"api{number}" for number in range(2)]
    tries = [f"s{step}" for step in range(depth)]

    def respond(api, given):
        if api.name == "api1" or given["note"] == tries[-1]:
            raise CallError("server_error", f"{api.name} is down.")
        return f"{given['note']} of {api.name}"

    chain = "\n".join(f"api0('s{step}')" for step in range(depth - 1))
    plans = [code(f"{chain}\nanswer = api0('{tries[-1]}')")]
    plans += [code(f"answer = api1('back{number}')") for number in range(depth + 2)]
    return Programs(*map(an_api, apis), plans=plans, respond=respond)


@pytest.mark.parametrize("depth", [2, 3, 4])
def test_a_run_whose_steps_all_fail_ends_and_makes_no_call_twice(saver, depth):
    stage = stepping_back(depth)
    result = stage.ask(saver=saver)
    assert result["status"] != "solved"
    assert len(stage.shown) > 1
    made = [(name, given["note"]) for name, given in stage.made()]
    assert len(made) == len(set(made)), "no call is made twice"


def test_one_failure_steps_back_over_as_many_steps_as_have_nothing_left():
    """Both APIs are gone at the second and the third step, so that the first is chosen again."""
    stage = breaking(plans=[], apis=("api0", "api1"))
    order = iter(["fine", "bad", "fine", "bad", "bad"])

    def respond(api, _):
        if next(order) == "bad":
            raise CallError("server_error", f"{api.name} is down.")
        return "fine"

    stage._data = respond
    stage.plans = [
        code("x = api0('1')\ny = api1('2')"),
        code("y = api0('3')\nz = api1('4')"),
        code("z = api0('5')"),
        code("answer = 'over'"),
    ]
    asked = {"query": "What?", "candidates": stage.ids}
    states = list(stage.build().stream(asked, stream_mode="updates", context=settings_of()))
    backs = [update["rollback"]["decided"] for update in states if "rollback" in update]
    aside = [update["rollback"].get("set_aside", []) for update in states if "rollback" in update]
    assert backs == [
        "the rest is planned anew",
        "the rest is planned anew",
        "the step before goes too",
        "the step before goes too",
        "the rest is planned anew",
    ]
    assert len(aside[-1]) == 2


MANY = [f"api{number}" for number in range(12)]


def test_the_step_back_is_reached_with_the_settings_as_they_are():
    """Of twelve candidates three fail at the second step: the result of the first is set aside, and the run goes on."""
    broken = MANY[1:4]
    plans = [
        code(f"x = {MANY[0]}('a')\nanswer = {MANY[1]}(x)"),
        *[code(f"answer = {name}(x)") for name in broken[1:]],
        code(f"answer = {MANY[5]}({MANY[4]}('b'))"),
    ]
    stage = breaking(*broken, plans=plans, apis=MANY)
    result = stage.ask()
    assert f"The result of {MANY[0]} before it is set aside" in stage.told()
    assert result["status"] == "solved"
    assert [name for name, _ in stage.made()] == MANY[:6]


def test_the_step_back_is_reached_too_where_the_program_catches_failures():
    program = "x = api0('a')\n" + "\n".join(
        f"try:\n    y = {name}(x)\nexcept Exception:\n    pass" for name in MANY[1:3]
    )
    plans = [code(f"{program}\nanswer = api3(x)"), code("answer = api4('b')")]
    stage = breaking(*MANY[1:4], plans=plans, apis=MANY)
    assert stage.ask()["status"] == "solved"
    assert "The result of api0 before it is set aside" in stage.told()


def test_an_api_that_failed_beside_a_call_that_answered_leaves_the_step():
    plans = [code("a, b = await gather(alpha('a'), bravo('b'))"), code("answer = alpha('c')"), code("answer = 1")]
    stage = breaking("alpha", plans=plans)
    stage.ask()
    assert stage.made() == [("alpha", {"note": "a"}), ("bravo", {"note": "b"})]
    assert "It has left the list of this step" in str(stage.shown[2])


def test_at_the_first_step_all_that_is_known_can_be_tried():
    stage = breaking(*MANY[:6], plans=[code(f"answer = {name}('a')") for name in MANY], apis=MANY)
    assert stage.ask()["status"] == "solved"
    assert [name for name, _ in stage.made()] == MANY[:7]


@settings(max_examples=30)
@given(st.lists(st.tuples(st.integers(0, 4), st.booleans()), min_size=4, max_size=14))
def test_a_run_steps_back_as_the_reference_does(tries):
    """Each program makes one call, which answers or fails for good."""
    outcomes = iter([])

    def respond(api, _):
        if next(outcomes):
            return "fine"
        raise CallError("server_error", f"{api.name} is down.")

    reference, written, made = Search(range(5)), [], []
    for number, (api, ok) in enumerate(tries):
        if reference.over:
            break
        written.append(code(f"print(api{api}('{number}'))"))
        if reference.may_call(api):
            made.append(ok)
            reference.call(api, ok)
    outcomes = iter(made)
    stage = Programs(*map(an_api, MANY[:5]), plans=[*written, "That is all."], respond=respond)
    asked = {"query": "What?", "candidates": stage.ids}
    most = settings_of(max_plans=20, max_reflections=0)
    end = stage.build().invoke(asked, context=most, output_keys=["banned", "set_aside", "calls"])
    requests = {call["request"]: stage.ids.index(call["api"]) for call in end["calls"]}
    assert [requests[one] for one in end["set_aside"]] == reference.aside
    assert [[stage.ids.index(api) for api in one] for one in end["banned"]] == reference.lists.lists()


def test_where_nothing_is_left_it_ends_with_the_reason(saver):
    stage = breaking("alpha", plans=code("answer = alpha('a')"), apis=["alpha"])
    result = stage.ask(saver=saver)
    assert (result["status"], stage.titles()) == ("failed", ["plan"])
    assert "alpha is down." in result["reason"]


@pytest.mark.parametrize("kind", sorted(MENDED_BY_ARGUMENTS - {"blocked"}))
def test_other_arguments_may_mend_it(kind):
    def respond(_, given):
        if given["note"] == "a":
            raise CallError(kind, "Not that one.")
        return "fine"

    plans = [code("answer = alpha('a')"), code("answer = alpha('b')")]
    stage = Programs(an_api("alpha"), plans=plans, respond=respond)
    assert stage.ask()["status"] == "solved"
    assert stage.made("alpha") == [{"note": "a"}, {"note": "b"}]
    assert "Another call may mend that." in stage.told()


@pytest.mark.parametrize("kind", ["timeout", "network", "rate_limited"])
def test_a_failure_of_the_moment_is_tried_again_before_it_counts(kind):
    tries = []

    def respond(*_):
        tries.append(None)
        if len(tries) == 1:
            raise CallError(kind, "Not now.", retry_after=0)
        return "fine"

    stage = Programs(an_api("alpha"), plans=code("answer = alpha('a')"), respond=respond)
    result = stage.ask(call_retries=1)
    assert (result["status"], len(tries), stage.titles()) == ("solved", 2, ["plan", "Worded"])
    assert [call["ok"] for call in result["calls"]] == [True]


def test_how_it_failed_before_is_shown_with_the_function():
    plans = [code("alpha('a')"), code("api_docs('alpha')"), code("answer = bravo('b')")]
    stage = breaking("alpha", plans=plans)
    stage.ask()
    assert "Failed before: server_error: alpha is down." in stage.told()


@settings(max_examples=25)
@given(
    broken=st.sets(st.sampled_from(NAMES)),
    kind=st.sampled_from(FAILURE_KINDS),
    plans=st.lists(st.lists(st.sampled_from(NAMES), min_size=1, max_size=3), min_size=1, max_size=5),
)
def test_all_runs_end_and_no_api_that_left_is_called_in_its_step(broken, kind, plans):
    written = [code("\n".join(f"{name}('{number}')" for name in names)) for number, names in enumerate(plans)]
    stage = breaking(*broken, kind=kind, plans=[*written, "That is all."])
    result = stage.ask(call_retries=0)
    assert result["status"] in ("solved", "partial", "failed")
    step, gone = 0, set()
    for call in result["calls"]:
        if call["ok"]:
            step, gone = step + 1, set()
        elif call["failure"] != "blocked" and call["failure"] not in MENDED_BY_ARGUMENTS:
            assert call["api"] not in gone or "not made again" in call["message"]
            gone.add(call["api"])
