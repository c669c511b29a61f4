"""Graphs and the command with the real local model, on the demo's real APIs."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.e2e.checking import missing_facts
from tests.e2e.questions_tuned import QUESTIONS
from toolquiver.calling import FAILURE_KINDS
from toolquiver.catalog.named import load_catalog
from toolquiver.graphs import smurfs
from toolquiver.models import tokens

pytestmark = pytest.mark.e2e

ROOT = Path(__file__).parents[2]
SAMPLE = ("one-08",)
BUDGET = 3_000


@pytest.fixture(scope="module")
def catalog():
    return load_catalog("demo")


def test_the_run_holds_whatever_the_model_says(catalog, record_property):
    """Right answers are a rate, recorded; that every call is real and every limit kept is certain."""
    graph = smurfs.build(catalog=catalog, model="local")
    right = 0
    for question in (question for question in QUESTIONS if question.id in SAMPLE):
        result = graph.invoke(
            {"query": question.text}, context={"token_budget": BUDGET}, config={"recursion_limit": 500}
        )
        assert result["status"] in {"solved", "partial", "failed"}
        assert result["answer"] or result["status"] == "failed"
        assert tokens(result["usage"]) <= BUDGET
        assert "plan" in result["usage"]
        for call in result["calls"]:
            assert catalog.find(call["api"]) is not None
            assert call["ok"] == (call["failure"] is None)
            assert call["failure"] is None or call["failure"] in FAILURE_KINDS
        right += not missing_facts(question, result["answer"])
    record_property("right", f"{right} of {len(SAMPLE)}")
    print(f"right: {right} of {len(SAMPLE)}")


def test_the_demo_s_question_is_answered_and_told_in_json():
    (question,) = re.findall(r"^QUESTION \?= (.+)$", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE)
    command = [sys.executable, "-m", "toolquiver", "ask", question, "--json"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=600, env=os.environ)
    assert done.returncode in {0, 1}, done.stderr
    result = json.loads(done.stdout)
    told = {"answer", "status", "reason", "programs", "calls", "evidence", "missing", "unfilled", "usage"}
    assert set(result) >= told | {"reflections", "wakings"}
    assert (result["status"] == "failed") == (done.returncode == 1)
    assert "Canberra" in result["answer"]
    assert result["calls"]
    assert result["usage"]["total"] > 0
    assert result["usage"]["estimated"] is False
