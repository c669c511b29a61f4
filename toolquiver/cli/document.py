"""`toolquiver document`: the documentation of a catalogue made into instructions."""

import sys
from collections import Counter
from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from typer.core import TyperGroup

from toolquiver.bounds import Examples
from toolquiver.catalog import Catalog
from toolquiver.catalog.attempts import Attempt, pace
from toolquiver.catalog.named import DEMO
from toolquiver.cli.counting import Count
from toolquiver.cli.document_versions import diff, drop, export, show
from toolquiver.cli.documenting import Done, Work, callable_now, left_to_write, write_all
from toolquiver.cli.eval_run import AT_ONCE, at_once
from toolquiver.cli.plain import harmless
from toolquiver.cli.stopping import run_to_its_end
from toolquiver.cli.tables import usage_table
from toolquiver.contexts import EasyToolContext
from toolquiver.errors import InputError
from toolquiver.evaluation.metrics.prices import load_prices
from toolquiver.models import RoleUsage, Usage, add_usage, tokens
from toolquiver.models.load import LOCAL
from toolquiver.models.local.settings import SLOTS
from toolquiver.nodes.easytool.costs import estimated_usage

_WRITE = "write"


class _WritesByDefault(TyperGroup):
    """`toolquiver document FILE` is `toolquiver document write FILE`."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        known = {*self.commands, *self.get_help_option_names(ctx)}
        return super().parse_args(ctx, [_WRITE, *args] if args and args[0] not in known else args)


app = typer.Typer(
    cls=_WritesByDefault,
    help="Make documentation into short instructions that are checked and tried (EasyTool): "
    "`toolquiver document CATALOGUE`.",
    no_args_is_help=True,
)
app.command("show")(show)
app.command("diff")(diff)
app.command("drop")(drop)
app.command("export")(export)


@app.command(_WRITE)
def write(
    catalogue: Annotated[Path, typer.Argument(help="The catalogue file.")],
    *,
    model: Annotated[str, typer.Option(help="'local', or 'provider:model' as LangChain names it.")] = LOCAL,
    category: Annotated[str | None, typer.Option(help="Only the tools of this category.")] = None,
    limit: Annotated[int | None, typer.Option(min=1, help="At most so many tools.")] = None,
    examples: Annotated[
        Examples, typer.Option(help="Which examples to run where somebody can be called: only those that read, or all.")
    ] = "reading",
    concurrency: Annotated[
        int | None, typer.Option(min=1, help=f"Tools at a time; {SLOTS} with the local model, {AT_ONCE} with others.")
    ] = None,
    budget: Annotated[int, typer.Option(min=1, help="Hard limit of tokens for a tool.")] = 200_000,
    retry: Annotated[bool, typer.Option("--retry", help="Write again what is marked with a problem.")] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say what it would cost.")] = False,
) -> None:
    """Write what is missing: new and changed documents. Stopped in any way, the same command goes on.

    A tool that fails stops no other; the same command tries it again. Then the exit code is 1.
    """
    if str(catalogue) == DEMO:
        raise InputError("The demo comes with its instructions. Name a catalogue file, which `catalog import` makes.")
    context = EasyToolContext(model=model, try_examples=examples, token_budget=budget)
    together = at_once(concurrency, model, local=SLOTS)
    with Catalog.open(catalogue) as catalog:
        if category is not None and not catalog.list_tools(category=category):
            raise InputError(f"There is no category {category!r}. `toolquiver catalog list` shows those there are.")
        can_try = callable_now(catalog, context)
        works = left_to_write(catalog, model, category=category, again=retry, limit=limit, can_try=can_try)
        if dry_run:
            spent = _estimated(works, context)
            _show_estimate(spent, works, model)
            _show_time(spent, catalog.instructions.attempts(model), model, together)
        elif works:
            _write(catalog, works, context, together)
        else:
            print("Every tool has its instruction.", file=sys.stderr)


def _write(catalog: Catalog, works: Sequence[Work], context: EasyToolContext, concurrency: int) -> None:
    found = list[Done]()
    with Count(len(works), 0, "tools") as count:

        def told(done: Done, spent: Usage) -> None:
            label, came = _told(done)
            count.add(label, f"{done.work.category}/{done.work.tool}: {came}", done.seconds, tokens(spent))

        async def write() -> None:
            found.extend(await write_all(catalog, works, context, concurrency=concurrency, progress=told))

        run_to_its_end(write())
    _show_found([done for done in found if not done.failed], [done for done in found if done.failed])


def _told(done: Done) -> tuple[str, str]:
    """How a tool ended, in a word, and what came of it."""
    if done.failed:
        return "failed", done.failed
    saved = f"{done.result['tokens_before']:,} -> {done.result['tokens_after']:,} tokens"
    return "marked" if done.marked else "written", saved


def _estimated(works: Sequence[Work], context: EasyToolContext) -> RoleUsage:
    total = Usage(easytool=estimated_usage([], context, whole=False))
    for work in works:
        usage = estimated_usage(work.apis, context, whole=work.whole, every=work.every)
        total = add_usage(total, Usage(easytool=usage))
    return total["easytool"]


def _show_estimate(spent: RoleUsage, works: Sequence[Work], model: str) -> None:
    price = load_prices().get(model)
    for label, value in (
        ("tools", len(works)),
        ("functions", sum(len(work.apis) for work in works)),
        ("model calls", spent["calls"]),
        ("prompt", spent["prompt"]),
        ("completion", spent["completion"]),
    ):
        print(f"{label:12}{value:14,}")
    print(f"{'US dollars':12}{price.of(spent):14,.2f}" if price else f"No price is known for {model}.")


def _show_time(spent: RoleUsage, earlier: Sequence[Attempt], model: str, at_a_time: int) -> None:
    """How long it will about take, by the pace of the tools that the model wrote about before."""
    if not (tokens_a_second := pace(earlier)):
        print(f"No time is known for {model}: it has written nothing in this catalogue yet.")
        return
    seconds = (spent["prompt"] + spent["completion"]) / tokens_a_second / at_a_time
    print(f"{'time, about':12}{timedelta(seconds=round(seconds))!s:>14}")


def _show_found(found: Sequence[Done], failed: Sequence[Done]) -> None:
    functions = [one for done in found for one in done.result["functions"]]
    proofs = Counter(one["proof"] for one in functions)
    before = sum(done.result["tokens_before"] for done in found)
    after = sum(done.result["tokens_after"] for done in found)
    usage = Usage()
    for done in (*found, *failed):
        usage = add_usage(usage, done.result.get("usage", Usage()))
    print(f"{len(found):,} tools, {len(functions):,} functions: {before:,} -> {after:,} tokens")
    print(f"examples: {proofs['called']:,} called, {proofs['valid']:,} valid, {proofs['none']:,} left out")
    Console().print(usage_table(usage))
    if failed:
        for reason, count in Counter(done.failed for done in failed).most_common():
            print(harmless(f"{count:,} failed: {reason}"), file=sys.stderr)
        print(f"{len(failed):,} tools are not finished. The same command tries them again.", file=sys.stderr)
        raise typer.Exit(1)
