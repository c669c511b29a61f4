"""`python -m toolquiver` is the command `toolquiver`."""

from toolquiver.cli import main

main()
