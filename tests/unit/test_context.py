"""The settings of a run: refused when they make no sense, and described for forms."""

import pickle
from dataclasses import FrozenInstanceError, dataclass, field, fields, replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from pydantic import TypeAdapter

from toolquiver import Context
from toolquiver.contexts import AnyToolContext, DfsdtContext, QuiverContext, SmurfsContext, settings_for, within
from toolquiver.errors import InputError

SCHEMA = TypeAdapter(Context).json_schema()


def test_a_plain_one_keeps_the_defaults_of_a_graph_with_its_own_unless_they_are_given():
    plain = Context(token_budget=900)
    assert within(AnyToolContext, plain) == AnyToolContext(token_budget=900)
    assert within(AnyToolContext, pickle.loads(pickle.dumps(plain))) == within(AnyToolContext, plain)
    assert within(AnyToolContext, replace(plain, top_k=3)) == AnyToolContext(token_budget=900, top_k=3)
    made = TypeAdapter(Context).validate_python({"top_k": 3})
    assert within(AnyToolContext, made) == AnyToolContext(top_k=3)


def test_one_of_a_graph_s_own_kind_stays_as_it_is():
    own = AnyToolContext(page=3)
    assert within(AnyToolContext, own) is own


def test_quiver_has_the_settings_that_it_reads_and_refuses_others_by_name():
    assert within(QuiverContext, Context(token_budget=900, top_k=3)) == QuiverContext(token_budget=900, top_k=3)
    assert within(QuiverContext, QuiverContext(max_plans=3)) == QuiverContext(max_plans=3)
    with pytest.raises(InputError, match=r"no setting 'registration'\. It has: agents, .*max_plans"):
        within(QuiverContext, AnyToolContext(registration="all"))
    assert len(fields(QuiverContext)) <= 20


@pytest.mark.parametrize(
    ("given", "settings"),
    [
        (None, {}),
        ({"approval": "always", "user": "me"}, {"approval": "always"}),
        (SimpleNamespace(approval="always", model="anthropic/claude"), {"approval": "always"}),
        ({"approval": "never"}, {}),
        ({"user": "me"}, {}),
        (SimpleNamespace(user="me"), {}),
        ("me", {}),
    ],
)
def test_of_the_context_of_a_graph_around_it_the_stricter_approval_holds(given, settings):
    own = AnyToolContext(page=3, approval="writes")
    assert settings_for(own, given, inside=True) == replace(own, **settings)


@pytest.mark.parametrize("given", ["planner=False", ["planner"], Context, 5, SimpleNamespace(user="me")])
def test_what_is_no_context_is_refused(given):
    with pytest.raises(InputError, match="Pass a `Context`, or a dict of its settings"):
        settings_for(Context(), given, inside=False)


@pytest.mark.parametrize(
    ("kind", "limit"),
    [
        (Context, "top_k"),
        (Context, "token_budget"),
        (SmurfsContext, "max_subtasks"),
        (DfsdtContext, "max_steps"),
        (QuiverContext, "max_calls"),
    ],
)
def test_a_limit_below_one_is_refused_by_name(kind, limit):
    with pytest.raises(InputError, match=f"{limit} is 0; it must be at least 1"):
        kind(**{limit: 0})
    assert getattr(kind(**{limit: 1}), limit) == 1


def test_calls_need_not_be_tried_again():
    assert Context(call_retries=0).call_retries == 0
    with pytest.raises(InputError, match="call_retries is -1"):
        Context(call_retries=-1)


@pytest.mark.parametrize("seconds", [0, -1.5, float("nan")])
def test_a_timeout_is_more_than_nothing(seconds):
    with pytest.raises(InputError, match="call_timeout"):
        Context(call_timeout=seconds)


@pytest.mark.parametrize(
    ("kind", "limit"),
    [(Context, "call_timeout"), (Context, "call_retries"), (DfsdtContext, "branches"), (AnyToolContext, "votes")],
)
def test_a_limit_above_its_greatest_is_refused_by_name_and_the_form_knows_it(kind, limit):
    most = TypeAdapter(kind).json_schema()["properties"][limit]["maximum"]
    assert getattr(kind(**{limit: most}), limit) == most
    with pytest.raises(InputError, match=f"{limit} is .* at most {most:,g}"):
        kind(**{limit: most + 1})


def test_an_unknown_decision_method_is_refused():
    with pytest.raises(InputError, match=r"'guess'; it must be .*'function_calling' or 'prompt'"):
        Context(decision_method="guess")


def test_an_unknown_approval_is_refused():
    with pytest.raises(InputError, match=r"approval is 'sometimes'; it must be 'never', 'auto', 'writes' or 'always'"):
        Context(approval="sometimes")


@pytest.mark.parametrize(
    ("name", "value"),
    [("top_k", "5"), ("max_steps", True), ("model", None), ("role_models", {"plan": 1}), ("retrieval_part", 1.5)],
)
def test_a_setting_of_another_type_is_refused_by_name(name, value):
    with pytest.raises(InputError, match=f"{name} is .*; it must be "):
        AnyToolContext(**{name: value})


def test_numbers_of_numpy_are_numbers_and_a_kind_of_one_s_own_may_hold_what_it_likes():
    @dataclass(frozen=True, kw_only=True)
    class Own(Context):
        owner: Path = field(default_factory=Path)
        helper: object = None

    assert Own(top_k=np.int64(5), helper=SimpleNamespace()).top_k == 5


def test_switches_may_be_off():
    assert SmurfsContext(planner=False, verifier=False).planner is False


def test_settings_are_fixed():
    with pytest.raises(FrozenInstanceError):
        Context().top_k = 3


@pytest.mark.parametrize("setting", [setting.name for setting in fields(Context)])
def test_every_setting_is_described_and_has_a_default(setting):
    described = SCHEMA["properties"][setting]
    assert described["description"]
    assert "default" in described or setting == "role_models"


def test_a_form_knows_the_limits_and_the_choices():
    assert SCHEMA["properties"]["top_k"]["minimum"] == 1
    assert SCHEMA["properties"]["call_timeout"]["exclusiveMinimum"] == 0
    assert {name for name, about in SCHEMA["properties"].items() if "maximum" in about} == {
        "call_timeout",
        "call_retries",
    }
    assert "prompt" in SCHEMA["properties"]["decision_method"]["enum"]
    assert "required" not in SCHEMA


def test_the_limits_of_a_call_are_those_of_the_run():
    limits = Context(call_timeout=2.5, call_retries=1).call_limits
    assert (limits.timeout, limits.retries) == (2.5, 1)


def test_what_a_run_does_not_name_stays_as_the_graph_was_built():
    own = AnyToolContext(page=3, approval="writes", token_budget=900)
    assert settings_for(own, Context(top_k=5), inside=False) == replace(own, top_k=5)
    assert settings_for(own, AnyToolContext(page=12, approval="always"), inside=True) == replace(
        own, page=12, approval="always"
    )
    assert settings_for(own, Context(approval="never"), inside=False) == own
    assert settings_for(Context(), Context(top_k=3), inside=False) == Context(top_k=3)


def test_the_name_of_a_setting_is_no_role():
    with pytest.raises(InputError, match="'planner' is a setting; the role is called 'plan'"):
        Context(role_models={"planner": "local"})
    assert Context(role_models={"plan": "local", "one_of_mine": "local"}).role_models


def test_settings_of_one_s_own_stay_beside_those_of_a_run():
    @dataclass(frozen=True, kw_only=True)
    class Mine(Context):
        extra: int = 1

    assert settings_for(Mine(extra=2), Context(top_k=5), inside=False) == Mine(extra=2, top_k=5)
    assert settings_for(Context(top_k=3), Mine(extra=2), inside=False) == Mine(extra=2, top_k=3)
