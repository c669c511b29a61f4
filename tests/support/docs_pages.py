"""Pages of the documentation as something that runs: their files, and their commands and scripts with what they print.

A file is a block below its name, "`name`:". In a block `console` a line after `$ ` is a command and what follows is its
output; one that ends with `&` stays in the background. In a block `python` a comment behind `print` is its output.
`...` in an output is anything; an output that is left out is not looked at.
"""

import json
import os
import re
import shutil
import socket
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
HERE = Path(__file__).parent
BLOCK = re.compile(
    r"(?:`(?P<file>[\w./]+\.\w+)`:\n\n)?^```(?P<language>\w+)\n(?P<text>.*?)^```", re.DOTALL | re.MULTILINE
)


def offline():
    """The environment of a process that may not leave this machine."""
    paths = [str(HERE / "offline"), *filter(None, os.environ.get("PYTHONPATH", "").split(os.pathsep))]
    plain = {name: value for name, value in os.environ.items() if not name.lower().endswith("_proxy")}
    return plain | {"PYTHONPATH": os.pathsep.join(paths)}


class Step(NamedTuple):
    """A command, or with `script` the text of one, and what it prints."""

    command: str = ""
    script: str = ""
    output: str = ""


def files(page):
    """The files that the page shows, by name."""
    return {found["file"]: found["text"] for found in BLOCK.finditer(page) if found["file"]}


def steps(page):
    """The commands and scripts of the page, in order."""
    for found in BLOCK.finditer(page):
        if found["language"] == "console":
            for command in re.split(r"^\$ ", found["text"], flags=re.MULTILINE)[1:]:
                line, _, output = command.partition("\n")
                yield Step(command=line, output=output)
        elif found["language"] == "python" and not found["file"]:
            printed = re.findall(r"^ *print\(.*\)  # (.*)$", found["text"], re.MULTILINE)
            yield Step(script=found["text"], output="\n".join(printed))


def fits(output, printed):
    """Whether what was printed is the output of the page, blanks aside."""
    lines = [" ".join(line.split()) for line in output.splitlines()]
    pattern = "".join(
        r"(?:.*\n)*" if line == "..." else re.escape(line).replace(re.escape("..."), ".*") + r"\n" for line in lines
    )
    shown = "".join(" ".join(line.split()) + "\n" for line in printed.splitlines())
    return re.fullmatch(pattern, shown) is not None


def prints_what_it_says(step, running):
    """Run a step of a page, and hold what it printed against the page."""
    code, out, err = running.run(step)
    assert code == 0, f"{step}\n{out}\n{err}"
    assert not step.output or fits(step.output, out), f"{step}\n{out}"


class Shell:
    """Runs steps in a folder, off the network: `toolquiver` first by its entry point, then in forks of one process."""

    def __init__(self, folder, **environment):
        self.folder = folder
        programs = [str(Path(sys.executable).parent), os.environ["PATH"]]
        self.env = offline() | {
            "PATH": os.pathsep.join(programs),
            "COLUMNS": "120",
            "TIKTOKEN_CACHE_DIR": "",
            **environment,
        }
        self.servers = []
        self.forks = None

    def run(self, step):
        """The exit code, what was printed, and the errors."""
        if step.command.startswith("export "):
            name, _, value = step.command.removeprefix("export ").partition("=")
            self.env[name] = value
            return 0, "", ""
        if step.command.endswith("&"):
            self.servers.append(subprocess.Popen(["bash", "-c", f"exec {step.command[:-1]}"], **self._where()))
            return 0, "", ""
        if step.script:
            (self.folder / "step.py").write_text(step.script)
            return self._forked(script="step.py")
        if self.forks is None or not step.command.startswith("toolquiver "):
            done = subprocess.run(["bash", "-c", step.command], **self._where(), capture_output=True, check=False)
            if step.command.startswith("toolquiver "):
                self._start_forks()
            return done.returncode, done.stdout, done.stderr
        words = subprocess.run(
            ["bash", "-c", f"printf '%s\\0' {step.command}"], **self._where(), capture_output=True, check=True
        )
        return self._forked(argv=words.stdout.split("\0")[:-1])

    def _where(self):
        return {"cwd": self.folder, "env": self.env, "text": True}

    def _start_forks(self):
        command = [sys.executable, "-P", str(HERE / "docs_runner.py")]
        self.forks = subprocess.Popen(command, **self._where(), stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def _forked(self, **asked):
        if self.forks is None:
            self._start_forks()
        where = {"env": self.env, "out": ".out", "err": ".err"}
        print(json.dumps(asked | where), file=self.forks.stdin, flush=True)
        code = int(self.forks.stdout.readline())
        return code, *((self.folder / name).read_text() for name in (".out", ".err"))


@contextmanager
def shell(folder, **environment):
    """Such a shell, and nothing of it left running afterwards."""
    opened = Shell(folder, **environment)
    assert shutil.which("toolquiver", path=opened.env["PATH"]), "the package is not installed: make test"
    try:
        yield opened
    finally:
        for process in opened.servers:
            process.kill()
            process.wait()
        if opened.forks:
            opened.forks.communicate()


def free_port():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


def wait_for(port, process):
    """Wait until the server that was started listens."""
    while process.poll() is None:
        with socket.socket() as asking:
            if asking.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.05)
    raise AssertionError(f"the server has ended with {process.returncode}")
