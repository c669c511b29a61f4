"""What models say of the results, in tables, each with the model that judged."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from toolquiver.evaluation.judging import Agreement, agreement
from toolquiver.evaluation.lines import Ruled
from toolquiver.evaluation.metrics import (
    WinRate,
    bootstrap,
    bootstrap_rate,
    cost,
    pass_rate_eq1,
    pass_rate_eq2,
    success_rate,
)
from toolquiver.evaluation.report.labels import SOLVABLE, Label, by_data, by_people, by_program
from toolquiver.evaluation.report.measured import Measured, Verdicts, role_models
from toolquiver.evaluation.report.tables import Table, interval_text
from toolquiver.models import total_usage

_JUDGED = "Judged by a model, which is named: not what a program says. 95% bootstrap intervals."
_VERDICTS = ("solved", "unsolved", "unsure")
_AS_SOLVED = {"solvable": "solved", "unsolvable": "unsolved"}


def judged_tables(systems: Sequence[Measured], labels: Sequence[Label] = ()) -> list[Table]:
    """The tables of what was judged; `labels` say whether an answer solves its question, as people see it."""
    tables = [_passes(systems), _preferences(systems), _costs(systems), _agreements(systems, labels)]
    return [table for table in tables if table.rows]


def _passes(systems: Sequence[Measured]) -> Table:
    rows = [
        [one.name, verdicts.judge, _votes(verdicts), *_rates(one, verdicts)]
        for one in systems
        for verdicts in one.verdicts
        if verdicts.asked == "solved"
    ]
    rates = ["success rate", "pass rate, eq. 2", "pass rate, eq. 1"]
    columns = ["system", "judge", "votes", "n", *_VERDICTS, *rates]
    note = (
        f"{_JUDGED} The success rate is EasyTool's: solved of all. Eq. 2 is AnyTool's: solved of solved and unsolved; "
        "unsure counts as the judge's setting says. "
        "Eq. 1 is ToolLLM's: what the same judge calls unsolvable with the candidates counts as passed; "
        "n stands where it was not asked that of every question."
    )
    return Table("Pass rates (judged)", columns, rows, note)


def _rates(one: Measured, verdicts: Verdicts) -> list[str]:
    counted = Counter(ruled.verdict for ruled in verdicts.ruled)
    n = len(verdicts.ruled)
    counts = [counted[verdict] for verdict in _VERDICTS]
    success = bootstrap_rate(success_rate, counts)
    second = bootstrap_rate(pass_rate_eq2, _passed(verdicts, verdicts.ruled))
    rates = [interval_text(rate, n) for rate in (success, second)]
    return [str(n), *map(str, counts), *rates, _first_equation(one, verdicts)]


def _passed(verdicts: Verdicts, ruled: Iterable[Ruled]) -> tuple[int, int]:
    """How many of these count as solved, and how many do not."""
    counted = Counter(counts_as(verdicts, one.verdict) for one in ruled)
    return counted[True], counted[False]


def counts_as(verdicts: Verdicts, verdict: str) -> bool:
    """Whether a verdict counts as solved, as the judge's setting says of "unsure"."""
    unsure = verdicts.head.settings.get("unsure", "unsolved")
    return (unsure if verdict == "unsure" else verdict) == "solved"


def _first_equation(one: Measured, verdicts: Verdicts) -> str:
    tools = next((other for other in one.verdicts if other.asked == "solvable" and other.judge == verdicts.judge), None)
    if tools is None:
        return "-"
    suffice = {ruled.question: ruled.verdict != "unsolvable" for ruled in tools.ruled}
    both = [ruled for ruled in verdicts.ruled if ruled.question in suffice]  # of others this rate says nothing
    rest = [ruled for ruled in both if suffice[ruled.question]]
    rate = bootstrap_rate(pass_rate_eq1, (len(both) - len(rest), *_passed(verdicts, rest)))
    return interval_text(rate, len(verdicts.ruled))


def _preferences(systems: Sequence[Measured]) -> Table:
    rows = []
    for one in systems:
        for verdicts in one.verdicts:
            if verdicts.asked == "preference":
                counted = Counter(ruled.verdict for ruled in verdicts.ruled)
                counts = [counted[verdict] for verdict in ("first", "second", "tie")]
                n, against = len(verdicts.ruled), str(verdicts.head.settings["against"])
                rate = interval_text(bootstrap_rate(_win_rate, counts), n)
                rows.append([one.name, against, verdicts.judge, str(n), *map(str, counts), rate])
    columns = ["system", "against", "judge", "n", "wins", "losses", "ties", "win rate"]
    note = f"{_JUDGED} Asked in both orders; where they disagree it is a tie. The win rate counts a tie as half."
    return Table("Preferences (judged)", columns, rows, note)


def _win_rate(wins: int, losses: int, ties: int) -> float | None:
    return WinRate(wins=wins, losses=losses, ties=ties).rate


def _agreements(systems: Sequence[Measured], labels: Sequence[Label]) -> Table:
    rows = []
    for one in systems:
        for verdicts in one.verdicts:
            said = {ruled.question: _AS_SOLVED.get(ruled.verdict, ruled.verdict) for ruled in verdicts.ruled}
            for name, known in _known(one, verdicts, labels):
                found = agreement(said, known)
                if found.n + found.unsure:
                    rows.append([one.name, verdicts.judge, verdicts.asked, name, *_agreed(found)])
    columns = ["system", "judge", "asked", "labels by", "n", "agrees", "kappa", "unsure"]
    note = (
        "How often the model that judges says what the labels say, where it is sure; kappa is Cohen's, beyond chance."
    )
    return Table("Agreement of the judge with labels (judged)", columns, rows, note)


def _known(one: Measured, verdicts: Verdicts, labels: Sequence[Label]) -> list[tuple[str, dict[str, bool]]]:
    """The labels that there are for what was asked, by who gives them."""
    if verdicts.asked == "solvable":
        return [(f"data ({SOLVABLE})", by_data(one))]
    if verdicts.asked == "solved":
        return [("people", by_people(labels, one)), (f"program ({''.join(one.metrics[:1])})", by_program(one))]
    return []


def _agreed(found: Agreement) -> list[str]:
    share = interval_text(bootstrap([1.0] * found.agreed + [0.0] * (found.n - found.agreed)), found.n)
    return [str(found.n), share, "-" if found.kappa is None else f"{found.kappa:.2f}", str(found.unsure)]


def _costs(systems: Sequence[Measured]) -> Table:
    rows = []
    for one in systems:
        for verdicts in one.verdicts:
            total = total_usage(verdicts.spent)
            models = role_models(verdicts.head)
            dollars = cost(verdicts.spent, verdicts.head.model, role_models=models, prices=one.prices)
            spent = [f"{total['calls']:,}", f"{total['prompt'] + total['completion']:,}"]
            shown = "-" if dollars is None else f"{dollars:.4f}"
            rows.append([one.name, verdicts.judge, verdicts.asked, *spent, shown])
    columns = ["system", "judge", "asked", "model calls", "tokens", "US dollars"]
    note = "All rulings together, those about answers that have changed since too. No system has spent this."
    return Table("What judging cost (judged)", columns, rows, note)


def _votes(verdicts: Verdicts) -> str:
    return str(max((len(ruled.votes) for ruled in verdicts.ruled), default=0))
