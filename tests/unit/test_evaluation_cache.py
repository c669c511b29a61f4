"""Answers of models, kept in a file: asked the same again, the model is not asked."""

import asyncio

import pytest
from langchain_core.globals import get_llm_cache
from langchain_core.messages import AIMessage, HumanMessage

from tests.support.script import Script
from toolquiver.errors import InputError
from toolquiver.evaluation.cache import AnswerCache, cached_answers
from toolquiver.models import decide, load_model, scripted
from toolquiver.nodes.judge.verdict import Judgement


def decided(script, text="Is it solved?", path=None, **more):
    with cached_answers(path):
        made = decide(scripted(script), Judgement, [HumanMessage(text)], role="judge", tokens_left=9_000, **more)
        return asyncio.run(made)


def test_the_same_question_is_asked_once_and_costs_the_same_on_paper(tmp_path):
    script, path = Script(Judgement={"verdict": "solved"}), tmp_path / "answers.db"
    first, again = decided(script, path=path), decided(script, path=path)
    assert first == again
    assert len(script.asked) == 1
    decided(script, "Another one.", path=path)
    decided(script)
    assert len(script.asked) == 3
    assert get_llm_cache() is None


def test_who_asks_for_several_votes_gets_several_and_the_next_run_the_same(tmp_path):
    verdicts = iter(["solved", "unsolved", "solved"])
    script, path = Script(Judgement=lambda _: {"verdict": next(verdicts)}), tmp_path / "answers.db"

    def votes():
        with cached_answers(path):
            model = scripted(script)
            asked = [decide(model, Judgement, [HumanMessage("?")], role="judge", tokens_left=9_000) for _ in range(3)]
            return [asyncio.run(one).value.verdict for one in asked]

    assert votes() == votes() == ["solved", "unsolved", "solved"]
    assert len(script.asked) == 3


def test_calls_and_replies_without_figures_come_back_whole(tmp_path):
    said = AIMessage("", tool_calls=[{"name": "Judgement", "args": {"reason": "r", "verdict": "unsure"}, "id": "1"}])
    asked = []

    def reply(*_):
        asked.append(None)
        return said

    path = tmp_path / "answers.db"
    results = [decided(reply, path=path, method="function_calling") for _ in range(2)]
    assert results[0].value == results[1].value == Judgement(reason="r", verdict="unsure")
    assert results[0].usage == results[1].usage
    assert results[0].usage["judge"]["estimated"] > 0
    assert len(asked) == 1


def test_the_cache_holds_no_key_and_knows_models_apart(tmp_path, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-marker-91ab")
    names = [load_model(name)._get_llm_string() for name in ("openai:one", "openai:two")]
    cache = AnswerCache(tmp_path / "answers.db")
    for name in names:
        assert cache.lookup("q", name) is None
        cache.update("q", name, [])
    assert len(set(names)) == 2
    cache.close()
    assert b"sk-marker" not in (tmp_path / "answers.db").read_bytes()


def test_a_local_server_is_the_same_model_on_another_port(tmp_path):
    cache = AnswerCache(tmp_path / "answers.db")
    cache.update("q", '{"base_url": "http://127.0.0.1:4001/v1"}', [])
    cache.close()
    cache = AnswerCache(tmp_path / "answers.db")
    assert cache.lookup("q", '{"base_url": "http://127.0.0.1:4002/v1"}') == []
    assert cache.lookup("q", '{"base_url": "http://127.0.0.2:4001/v1"}') is None
    cache.clear()
    assert cache.lookup("q", '{"base_url": "http://127.0.0.1:4001/v1"}') is None


def test_a_file_of_something_else_is_refused(tmp_path):
    (tmp_path / "notes").write_text("notes " * 100)
    with pytest.raises(InputError), cached_answers(tmp_path / "notes"):
        pass
    with pytest.raises(InputError), cached_answers(tmp_path / "no" / "answers.db"):
        pass
