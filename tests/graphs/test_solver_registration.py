"""EcoAct under both solvers: names, and one function that registers; a test for each rule and switch."""

import json

import pytest

from tests.support.instructions import instruction_of
from tests.support.solver_talk import DONE, NAMES, Talk, call, registers, solver_api
from toolquiver.curves import growth_svg, mean_shares, shares
from toolquiver.graphs import dfsdt, react
from toolquiver.registration import Registration

SOLVERS = pytest.mark.parametrize("solver", [react, dfsdt], ids=["react", "dfsdt"])
ECOACT = {"registration": "on_demand", "catalogue_functions": False}
ENDS = {"give_answer", "give_up", "give_up_and_restart"}
FOUR = [solver_api(name, tool=tool) for name, tool in (("a", "Maps"), ("b", "Maps"), ("c", "Vimeo"), ("d", "Vimeo"))]


def own(functions):
    return [name for name in functions if name not in ENDS]


@SOLVERS
def test_it_begins_with_the_names_and_one_function(solver):
    one = Talk(solver, [registers("alpha")], [call("alpha")], [DONE])
    result = one.ask(**ECOACT)
    prompt = "\n".join(message.text for message in one.shown[0])
    assert "tests: alpha, bravo, charlie" in prompt
    assert "Look up alpha" not in prompt
    assert [own(functions) for functions in one.bound] == [
        ["tool_register"],
        ["tool_register", "tool_unregister", "alpha"],
        ["tool_register", "tool_unregister", "alpha"],
    ]
    assert result["registered"] == [{"api": "tests/tests/alpha", "since": 1, "until": None}]
    assert result["status"] == "solved"


@SOLVERS
def test_names_stand_after_their_provider(solver):
    one = Talk(solver, [DONE], apis=FOUR)
    one.ask(**ECOACT)
    assert "- Maps: a, b\n- Vimeo: c, d" in one.shown[0][1].text


@SOLVERS
def test_descriptions_are_listed_where_they_are_wanted(solver):
    one = Talk(solver, [DONE], apis=FOUR)
    one.ask(**ECOACT, listing="descriptions")
    assert "- c (Vimeo): Look up c." in one.shown[0][1].text


@SOLVERS
def test_one_call_registers_one_api(solver):
    one = Talk(solver, [("tool_register", {"name": ["alpha", "bravo"]})], [DONE])
    assert one.ask(**ECOACT)["registered"] == []
    assert "registers one tool" in one.results()[0]


@SOLVERS
def test_one_call_may_register_several_where_it_is_set(solver):
    one = Talk(solver, [registers("alpha", "bravo")], [call("alpha"), call("bravo")], [DONE])
    result = one.ask(**ECOACT, register_several=True)
    assert [made["ok"] for made in result["calls"]] == [True, True]


@SOLVERS
def test_a_registration_can_stand_beside_the_call_that_it_is_for(solver):
    one = Talk(solver, [registers("alpha"), call("alpha")], [DONE])
    assert one.ask(**ECOACT)["calls"][0]["ok"]


@SOLVERS
def test_what_is_not_registered_is_not_called_and_the_model_is_told_how(solver):
    one = Talk(solver, [call("alpha")], [registers("alpha")], [call("alpha")], [DONE])
    result = one.ask(**ECOACT)
    assert 'Register it first: tool_register(name="alpha")' in one.results()[0]
    assert (len(result["calls"]), one.caller.made) == (1, [("alpha", "a")])


@SOLVERS
@pytest.mark.parametrize("given", [{"name": "delta"}, {"name": ""}, {}])
def test_what_is_not_in_the_list_cannot_be_registered(solver, given):
    one = Talk(solver, [("tool_register", given)], [DONE])
    assert one.ask(**ECOACT)["registered"] == []
    assert own(one.bound[1]) == ["tool_register"]


@SOLVERS
def test_a_registered_api_can_be_put_away(solver):
    away = ("tool_unregister", {"name": "alpha"})
    one = Talk(solver, [registers("alpha")], [away], [call("alpha")], [DONE])
    result = one.ask(**ECOACT)
    assert own(one.bound[2]) == ["tool_register"]
    assert (result["registered"][0]["since"], result["registered"][0]["until"]) == (1, 2)
    assert result["calls"] == []


@SOLVERS
def test_delivered_as_a_result_the_beginning_of_the_prompt_never_changes(solver):
    by_call = ("call", {"name": "alpha", "arguments": {"note": "a"}})
    one = Talk(solver, [registers("alpha")], [by_call], [DONE])
    result = one.ask(**ECOACT, delivery="result")
    assert [own(functions) for functions in one.bound] == [["tool_register", "tool_unregister", "call"]] * 3
    assert len({json.dumps([message.text for message in shown[:2]]) for shown in one.shown}) == 1
    assert '"note": {"type": "string"}' in one.results()[0]
    assert result["calls"][0]["arguments"] == {"note": "a"}
    assert result["status"] == "solved"


@SOLVERS
@pytest.mark.parametrize("how", [{}, ECOACT, ECOACT | {"delivery": "result"}])
def test_a_function_is_bound_with_the_whole_text_of_its_parameters_and_its_instruction(solver, how):
    note = "What to note. " + " ".join(f"It may be word-{number}." for number in range(200))
    schema = {"type": "object", "properties": {"note": {"type": "string", "description": note}}}
    api = solver_api("alpha", parameters=schema)
    one = Talk(solver, [registers("alpha")], [DONE], apis=[api])
    one.catalog.instructions.put([instruction_of(api, "In few words.")])
    one.ask(**how)
    told = json.dumps(one.functions[-1]) + "".join(one.results())
    assert note in told
    assert "In few words." in told
    assert "Look up alpha." not in told


@SOLVERS
@pytest.mark.parametrize(("above", "first"), [(1, "tool_register"), (100_000, "alpha")])
def test_auto_registers_on_demand_where_all_apis_together_are_long(solver, above, first):
    one = Talk(solver, [DONE])
    one.ask(**ECOACT | {"registration": "auto", "register_above": above})
    assert own(one.bound[0])[0] == first


@SOLVERS
def test_where_all_can_be_called_nothing_need_be_registered(solver):
    one = Talk(solver, [registers("alpha")], [DONE])
    one.ask()
    assert one.results() == ["All functions can be called as they are."]


@SOLVERS
def test_growth_says_how_many_were_registered_at_the_beginning_of_each_turn(solver):
    turns = [[registers("alpha")], [call("alpha")], [registers("bravo")], [call("bravo")], [DONE]]
    result = Talk(solver, *turns).ask(**ECOACT)
    assert [grown["registered"] for grown in result["growth"]] == [0, 1, 1, 2, 2]
    assert {grown["available"] for grown in result["growth"]} == {len(NAMES)}
    assert shares(result["growth"])[-1] == pytest.approx(2 / 3)
    drawn = growth_svg(result["growth"], "What is <it>?")
    assert "turn 4: 2 of 3 APIs, 67%" in drawn
    assert "What is &lt;it&gt;?" in drawn


@SOLVERS
def test_with_all_in_sight_the_curve_is_at_its_top(solver):
    result = Talk(solver, [call("alpha")], [DONE]).ask()
    assert shares(result["growth"]) == [1, 1]


def test_a_mean_curve_keeps_the_last_share_of_runs_that_have_ended():
    assert mean_shares([[0.0, 0.5], [0.0, 0.25, 1.0], []]) == [0.0, 0.375, 0.75]
    assert mean_shares([]) == []


def test_a_curve_of_nothing_can_be_drawn():
    assert growth_svg([]).startswith("<svg")


def test_registration_without_a_schema_saves_tokens_on_long_lists():
    apis = [solver_api(f"api_{n}", description="It looks something up. " * 20) for n in range(30)]
    turns = [registers("api_3")], [call("api_3")], [DONE]

    def prompt_tokens(*taken, **settings):
        usage = Talk(react, *taken, apis=apis).ask(**settings)["usage"]
        return usage["act"]["prompt"]

    everything = prompt_tokens(*turns[1:], catalogue_functions=False)
    assert prompt_tokens(*turns, **ECOACT) < everything


def test_the_provider_stands_in_what_a_model_sees_of_an_api():
    api = FOUR[2].model_copy(update={"function": "c"})
    assert Registration(mode="all").functions([api], [])[0]["description"].startswith("Vimeo: ")
    assert Registration(mode="on_demand").line(api) == "c (Vimeo)"
