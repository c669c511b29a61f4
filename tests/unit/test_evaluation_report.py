"""Reports: shards joined, what a program says in tables, what it cost."""

import pytest

from tests.support.reports import NASTY, QUESTIONS, a_run, honest, judged, table
from tests.support.small_set import good, half, result
from toolquiver.errors import InputError
from toolquiver.evaluation.journal import Journal, read_journal
from toolquiver.evaluation.lines import Ruled
from toolquiver.evaluation.reached import simulated
from toolquiver.evaluation.report import gathered, markdown, page
from toolquiver.evaluation.report.judged import judged_tables
from toolquiver.evaluation.report.measured import by_dataset
from toolquiver.evaluation.report.overall import overall_tables
from toolquiver.evaluation.report.pictures import plots_of
from toolquiver.evaluation.report.tables import objective_tables


def test_shards_are_one_system_and_others_are_told_apart(tmp_path):
    paths = [a_run(tmp_path, "good", good, shard=f"{n}/3") for n in (1, 2, 3)]
    others = [a_run(tmp_path, "half", half, settings={"top_k": n}) for n in (3, 4)]
    measured = gathered([*paths, *others])
    assert [one.name for one in measured] == ["good", "half, top_k=3", "half, top_k=4"]
    assert [len(one.lines) for one in measured] == [12, 12, 12]
    assert gathered(paths[:1])[0].name == "good"
    by_shard = table(objective_tables(measured[:1]), "accuracy by shard")
    assert [row["good (n = 12)"] for row in by_shard.values()] == ["1.00 [1.00, 1.00] (n = 4)"] * 3
    assert "accuracy by shard" not in {one.title for one in objective_tables(measured[1:])}


def test_only_shards_of_one_division_stand_in_a_table(tmp_path):
    halves = [a_run(tmp_path, "good", good, shard=f"{n}/2") for n in (1, 2)]
    for other in ({"shard": "1/1"}, {"shard": "1/4"}, {"shard": "1/2", "seed": 3}):
        measured = gathered([*halves, a_run(tmp_path, "half", half, **other)])
        assert "accuracy by shard" not in {one.title for one in objective_tables(measured)}
    measured = gathered([*halves, a_run(tmp_path, "half", half, shard="2/2")])
    by_shard = table(objective_tables(measured), "accuracy by shard")
    assert [row["half (n = 6)"][:4] for row in by_shard.values()] == ["-", "0.00"]


def test_what_is_given_twice_or_not_at_all_is_said(tmp_path):
    path = a_run(tmp_path, "good", good)
    with pytest.raises(InputError, match="'sum-0' is in"):
        gathered([path, a_run(tmp_path, "good", half)])
    verdicts = judged(path, honest)
    with pytest.raises(InputError, match="no journal of results"):
        gathered([verdicts])
    with pytest.raises(InputError, match="judges answers of good that are not here"):
        gathered([a_run(tmp_path, "half", half), verdicts])


def test_a_journal_that_is_given_twice_counts_once(tmp_path):
    path = a_run(tmp_path, "half", half)
    verdicts = judged(path, honest)
    copies = [tmp_path / f"copy-of-{one.name}" for one in (path, verdicts)]
    for one, copy in zip((path, verdicts), copies, strict=True):
        copy.write_bytes(one.read_bytes())
    (one,) = gathered([path, verdicts, path, verdicts, *copies])
    assert len(one.lines) == len(one.verdicts[0].ruled) == 12
    head, ruled = read_journal(verdicts)
    copies[1].unlink()
    with Journal.open(copies[1], head, Ruled) as journal:
        journal.add(ruled[3])
    with pytest.raises(InputError, match="'sum-3' is in"):
        gathered([path, verdicts, copies[1]])
    copies[0].write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:4]))
    with pytest.raises(InputError, match="'sum-0' is in"):
        gathered([path, copies[0]])


def test_the_tables_say_what_a_program_says(tmp_path):
    measured = gathered([a_run(tmp_path, "good", good), a_run(tmp_path, "half", half)])
    tables = objective_tables(measured)
    right = table(tables, "What is right")["accuracy"]
    assert right["good (n = 12)"] == "1.00 [1.00, 1.00]"
    assert right["half (n = 12)"].startswith("0.50 [0.2")
    assert table(tables, "accuracy by group")["odd"]["half (n = 12)"] == "0.00 [0.00, 0.00] (n = 6)"
    assert list(table(tables, "accuracy by steps")) == ["1", "2", "3"]
    compared = next(one for one in tables if one.title == "Who is better").rows
    assert compared[0][:2] == ["good - half", "accuracy"]
    assert compared[0][3:7] == ["12", "6", "0", "6"]
    spent = table(tables, "What it cost")
    assert spent["prompt_tokens"]["good (n = 12)"].startswith("106 [")  # a mean of 105.5
    dollars = sum((100 + n) * 0.25 + 10 * 2 for n in range(12)) / 1e6
    assert spent["US dollars, all together"]["good (n = 12)"] == f"{dollars:.4f}"
    assert table(tables, "At a glance")["half"]["accuracy"] == right["half (n = 12)"]
    assert table(tables, "At a glance")["half"]["tool calls"] == "1.00"
    assert judged_tables(measured) == []


@pytest.mark.parametrize(
    ("against", "pairs"),
    [
        ("", ["good - half", "good - wrong", "half - wrong"]),
        ("half", ["half - good", "half - wrong"]),
        ("elsewhere", ["good - half", "good - wrong", "half - wrong"]),
    ],
)
def test_one_system_is_compared_with_each_other_one(tmp_path, against, pairs):
    measured = gathered([a_run(tmp_path, name, good if name == "good" else half) for name in ("good", "half", "wrong")])
    compared = next(one for one in objective_tables(measured, against) if one.title == "Who is better").rows
    assert list(dict.fromkeys(row[0] for row in compared)) == pairs
    for text in (markdown(measured, against=against), page(measured, against=against)):
        assert [pair for pair in ("good - half", "half - good", "half - wrong") if pair in text] == [
            pair for pair in ("good - half", "half - good", "half - wrong") if pair in pairs
        ]


def test_several_data_sets_stand_in_one_table_before_all_others(tmp_path):
    one, other = a_run(tmp_path, "good", good), a_run(tmp_path, "half", half, options={"part": "two"})
    assert overall_tables(by_dataset(gathered([one]))) == []
    (found,) = overall_tables(by_dataset(gathered([one, other])))
    first, second = (dict(zip(found.columns, row, strict=True)) for row in found.rows)
    assert (first["data set"], first["system"], first["n"], first["mean"]) == (
        "sums",
        "good",
        "12",
        "1.00 [1.00, 1.00]",
    )
    assert (second["data set"], second["system"], second["n"]) == ("sums part=two", "half", "12")
    assert second["mean"].startswith("0.50 [")
    assert first["metric"] == second["metric"] == gathered([one])[0].metrics[0]
    text = markdown(gathered([one, other]))
    assert text.index("## All data sets") < text.index("## sums\n") < text.index("## sums part=two")
    assert "All data sets" in page(gathered([one, other]))
    assert "All data sets" not in page(gathered([one]))


def test_other_questions_of_the_same_name_are_another_data_set(tmp_path):
    one, same, other = a_run(tmp_path, "good", good), a_run(tmp_path, "half", half), a_run(tmp_path, "half", half)
    head, *lines = other.read_text("utf-8").splitlines()
    other.write_text(
        "\n".join([head.replace(f'"data": "{read_journal(one)[0].data}"', '"data": "0123456789"'), *lines, ""])
    )
    measured = gathered([one, same, other])
    assert [one.name for one in measured] == ["good", "half", "half"]
    sets = by_dataset(measured)
    data = read_journal(one)[0].data
    assert list(sets) == [f"sums, data {data[:8]}", "sums, data 01234567"]
    assert [len(systems) for systems in sets.values()] == [2, 1]
    text = page(measured)
    assert text.count('<article class="question"') == 2 * len(QUESTIONS)
    assert all(text.count(f">{title}</h2>") == 1 for title in sets)


def test_a_journal_without_a_digest_of_its_data_stands_beside_the_others(tmp_path):
    paths = [a_run(tmp_path, "good", good), a_run(tmp_path, "half", half)]
    head, *lines = paths[1].read_text("utf-8").splitlines()
    paths[1].write_text("\n".join([head.replace(read_journal(paths[0])[0].data, ""), *lines, ""]), "utf-8")
    assert [(name, len(systems)) for name, systems in by_dataset(gathered(paths)).items()] == [("sums", 2)]
    assert list(by_dataset(gathered(paths[1:]))) == ["sums"]


def test_endings_count_errors_too(tmp_path):
    async def broken(question, resources):
        raise RuntimeError(NASTY)

    tables = objective_tables(gathered([a_run(tmp_path, "broken", broken)]))
    endings = table(tables, "How questions ended")["broken"]
    assert list(endings.values()) == ["openai:gpt-5-mini", "12", "0", "0", "0", "12", "0"]
    assert list(table(tables, "At a glance")["broken"].values())[2:] == ["-", "-", "0.00", "0.00", "-"]


def test_what_a_system_does_not_tell_of_its_cost_is_not_zero(tmp_path):
    async def silent(question, resources):
        return result(question).model_copy(update={"usage": {}})

    async def at_times(question, resources):
        return result(question) if question.group == "even" else await silent(question, resources)

    measured = gathered([a_run(tmp_path, name, one) for name, one in (("silent", silent), ("at times", at_times))])
    spent = table(objective_tables(measured), "What it cost")
    assert spent["prompt_tokens"]["silent (n = 12)"] == spent["US dollars, all together"]["silent (n = 12)"] == "-"
    assert spent["prompt_tokens"]["at times (n = 12)"].endswith("(n = 6)")
    assert spent["US dollars, all together"]["at times (n = 12)"].endswith("(n = 6)")
    by_tokens = next(plot for plot in plots_of(measured) if plot.title == "Tokens against accuracy")
    assert [series.name for series in by_tokens.series] == ["at times"]


def test_tokens_that_were_estimated_are_marked(tmp_path):
    async def guessing(question, resources):
        spent = {"agent": result(question).usage["agent"] | {"estimated": 7}}
        return result(question).model_copy(update={"usage": spent})

    tables = objective_tables(gathered([a_run(tmp_path, "guessing", guessing), a_run(tmp_path, "good", good)]))
    spent = table(tables, "What it cost")
    for name in ("tokens", "prompt_tokens", "tokens_per_request", "US dollars, all together"):
        assert spent[name]["guessing (n = 12)"].startswith("~")
        assert not spent[name]["good (n = 12)"].startswith("~")
    assert not spent["model_calls"]["guessing (n = 12)"].startswith("~")
    assert table(tables, "At a glance")["guessing"]["tokens"] == "~116"
    assert all("~ marks" in one.note for one in tables if one.title in ("At a glance", "What it cost"))


def test_what_judging_and_simulating_cost_is_told_apart(tmp_path):
    async def simulating(question, resources):
        simulated({"simulate": {"calls": 1, "prompt": 1_000, "completion": 0, "cached": 0, "estimated": 0}})
        return result(question)

    path = a_run(tmp_path, "good", simulating, options={"simulate": "openai:gpt-5-mini"})
    prices = tmp_path / "prices.toml"
    prices.write_text(
        '[models."openai:judge"]\ninput = 1000\ncached = 0\noutput = 0\nsource = "me"\ndated = 2026-01-01\n'
    )
    verdicts = judged(path, honest)
    measured = gathered([path, verdicts], prices)
    costs = table(objective_tables(measured), "What it cost")
    assert costs["simulated_tokens"]["good (n = 12)"].startswith("1,000")
    assert costs["US dollars of the simulator"]["good (n = 12)"] == "0.0030"  # 12,000 tokens of 0.25 a million
    assert costs["tokens"]["good (n = 12)"].startswith("116")
    row = table(judged_tables(measured), "What judging cost (judged)")["good"]
    spent = [one.usage["judge"] for one in read_journal(verdicts)[1]]
    prompt = sum(one["prompt"] for one in spent)
    assert (row["model calls"], row["tokens"]) == ("12", f"{prompt + sum(one['completion'] for one in spent):,}")
    assert row["US dollars"] == f"{prompt / 1_000:.4f}"
    unpriced = table(judged_tables(gathered([path, verdicts])), "What judging cost (judged)")["good"]
    assert unpriced["US dollars"] == "-"


def test_what_was_ruled_of_answers_that_have_changed_since_has_cost_too(tmp_path):
    path = a_run(tmp_path, "good", good)
    verdicts = judged(path, honest)
    head, ruled = read_journal(verdicts)
    with Journal.open(verdicts, head, Ruled) as journal:
        journal.add(ruled[3])  # of the answer that there is now; the line before was of another
    measured = gathered([path, verdicts])
    assert table(judged_tables(measured), "Pass rates (judged)")["good"]["n"] == "12"
    assert table(judged_tables(measured), "What judging cost (judged)")["good"]["model calls"] == "13"


def test_errors_are_shares_of_the_calls_and_of_the_questions(tmp_path):
    async def erring(question, resources):
        found = result(question)
        (call,) = found.calls
        kinds = {"sum-0": ["unknown_api"], "sum-1": ["invalid_arguments", "timeout"]}.get(question.id, [])
        more = [call.model_copy(update={"ok": False, "failure": kind}) for kind in kinds]
        return found.model_copy(update={"calls": (call, *more)})

    found = table(objective_tables(gathered([a_run(tmp_path, "erring", erring)])), "Errors in calls")["erring"]
    # 12 calls and 3 that failed, in 2 of 12 questions
    assert [share.split()[0] for share in found.values()] == ["15", "0.067", "0.067", "0.200", "0.167"]
    for share in list(found.values())[1:]:
        mean, low, high = (float(part.strip("[,]")) for part in share.split())
        assert low < mean < high


def test_steps_are_those_of_the_label_the_path_or_the_apis():
    (question, *_) = QUESTIONS
    assert question.steps == 1
    assert question.model_copy(update={"labels": {"steps": 7}}).steps == 7
    assert question.model_copy(update={"gold_path": None, "gold_apis": ("a", "b")}).steps == 2
    assert question.model_copy(update={"gold_path": None}).steps is None
