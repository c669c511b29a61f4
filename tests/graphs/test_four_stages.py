"""The four stages: plan, retrieve, select, execute; a failed call goes back to selection, up to R calls."""

import asyncio

from tests.graphs.script import SOURCE, Stage, an_api, failing, numbered_notes, plan_of
from toolquiver.evaluation import Question
from toolquiver.evaluation.records import Resources
from toolquiver.evaluation.systems import system_named
from toolquiver.models import scripted


def answered(stage, query, candidates=None, **settings):
    system = system_named("four-stages", model=scripted(stage.script), settings={"call_retries": 0} | settings)
    question = Question(id="1", query=query, candidates=candidates)
    return asyncio.run(system(question, Resources(catalog=stage.catalog, callers={SOURCE: stage.caller})))


def a_stage(**answers):
    names = ("alpha", "bravo", "charlie")
    return Stage(*(an_api(name) for name in names), **{"Arguments": numbered_notes()} | answers)


def test_each_subtask_has_one_selection_and_one_call():
    stage = a_stage(Plan=plan_of("Where is alpha?", "Where is bravo?"))
    result = answered(stage, "Where are Alpha and Bravo?")
    assert result.outcome == "solved"
    assert [made.ok for made in result.calls] == [True, True]
    assert not {"Thought", "Verdict", "Expansion", "NeedsTool"} & set(stage.script.titles())


def test_a_failed_call_goes_back_to_selection_among_the_others():
    stage = a_stage(respond=failing("alpha"), Choice={"tool": "alpha"})
    stage.script.answers["Choice"] = lambda asked: {"tool": asked.schema["properties"]["tool"]["enum"][0]}
    result = answered(stage, "alpha", tuple(stage.ids))
    assert len({made.api for made in result.calls}) == len(result.calls)
    assert result.calls[-1].ok


def test_there_are_so_many_tries_and_no_more():
    stage = a_stage(respond=lambda api, _: failing(api.name)(api, None))
    result = answered(stage, "alpha", tuple(stage.ids), max_calls=2)
    assert len(result.calls) == 2
    assert result.outcome == "failed"


def test_tools_that_only_compute_are_selected_like_any_other():
    sums = [an_api(name, inputs={"a": "number", "b": "number"}) for name in ("multiply", "subtract")]
    sums = [
        api.model_copy(update={"output": {"type": "object", "properties": {"n": {"type": "number"}}}}) for api in sums
    ]
    stage = Stage(*sums, respond=lambda *_: '{"n": 6}', Arguments={"a": 2, "b": 3}, Plan=plan_of("What is 2 times 3?"))
    result = answered(stage, "What is 2 times 3?", tuple(stage.ids))
    assert stage.script.titles()[:3] == ["Plan", "Choice", "Arguments"], "no script, no formula"
    assert len(result.calls) == 1
