"""The command `toolquiver`, run in this process."""

import sys

from toolquiver.cli import main


def entered(monkeypatch, capsys, *words):
    """The exit code of `toolquiver WORDS`, what was printed, and the errors."""
    monkeypatch.setattr(sys, "argv", ["toolquiver", *map(str, words)])
    monkeypatch.setenv("COLUMNS", "160")
    try:
        main()
        code = 0
    except SystemExit as ended:
        code = ended.code or 0
    printed = capsys.readouterr()
    return code, printed.out, printed.err
