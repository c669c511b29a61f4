"""Programs over APIs: a model writes short Python, and whoever runs it makes the calls.

Nothing here asks a model or makes a call. `functions` makes Python functions of APIs. `line`, `summary` and `docs` show
them in a prompt. `program_in` reads the program in the model's reply, and `problem` checks it. `run_programs` runs it
in a sandbox up to the calls that are open:

    known, results = functions(apis), {}
    program = program_in(reply, known)
    while isinstance(outcome := run_programs([program], known, results, now), Waiting):
        results |= {request["id"]: make(request["api"], request["arguments"]) for request in outcome.requests}

At the end the outcome is `Ended` with the answer, `Broken` with the error, or `GaveUp`.
"""

from toolquiver.programs.check import problem
from toolquiver.programs.described import docs, line, summary
from toolquiver.programs.functions import UNKNOWN, Function, functions, is_open, open_arguments
from toolquiver.programs.replies import program_in
from toolquiver.programs.requests import Request, asks_the_same, reply_schema, subject
from toolquiver.programs.sandbox import Broken, Ended, GaveUp, Outcome, Results, Waiting, run_programs
from toolquiver.programs.values import value_of, values_in

__all__ = [
    "UNKNOWN",
    "Broken",
    "Ended",
    "Function",
    "GaveUp",
    "Outcome",
    "Request",
    "Results",
    "Waiting",
    "asks_the_same",
    "docs",
    "functions",
    "is_open",
    "line",
    "open_arguments",
    "problem",
    "program_in",
    "reply_schema",
    "run_programs",
    "subject",
    "summary",
    "value_of",
    "values_in",
]
