"""Runs commands and scripts of a page, each in a process that is forked from this one: imports are paid for once.

Each line of input is a JSON object: `argv` of the command `toolquiver` or the path of a `script`, `env`, and the files
`out` and `err`. Each line of output is an exit code.
"""

import json
import os
import runpy
import sys
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

for name in ("toolquiver.catalog.langchain", "toolquiver.graphs.smurfs", "langchain_openai", "mcp"):
    if name != "mcp" or find_spec(name):  # an optional part
        import_module(name)
main = import_module("toolquiver.cli").main


def run(asked):
    """In the new process: become the command or the script, and leave as it does."""
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)  # nobody is there to reply
    for number, path in ((1, asked["out"]), (2, asked["err"])):
        os.dup2(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), number)
    os.environ.update(asked["env"])
    if "script" in asked:
        sys.path.insert(0, str(Path(asked["script"]).resolve().parent))  # as Python does
        runpy.run_path(asked["script"], run_name="__main__")
    else:
        sys.argv = asked["argv"]
        main()


for line in sys.stdin:
    asked = json.loads(line)
    child = os.fork()
    if not child:
        run(asked)
        break  # ends as every program does, with what it has to do at its end
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
