"""`toolquiver eval`: measure systems on data sets, judge their answers, and report."""

import typer

from toolquiver.cli.eval_judge import judge
from toolquiver.cli.eval_report import report
from toolquiver.cli.eval_run import run

app = typer.Typer(help="Measure systems on data sets, and put them side by side.", no_args_is_help=True)
app.command("run")(run)
app.command("judge")(judge)
app.command("report")(report)
