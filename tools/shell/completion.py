"""`tengen completion`: print the script by which a shell completes the commands and options of tengen."""

from __future__ import annotations

from argparse import Namespace

from tengen.tools.arguments import Parser

SHELLS = ("bash", "zsh", "fish")


def configure(parser: Parser) -> None:
    """Declare the argument."""
    parser.add_argument(
        "shell", choices=SHELLS, metavar="SHELL", help="bash, zsh or fish (docs/shell.md says where it goes)"
    )


def run(values: Namespace) -> int:
    """Print the script."""
    from tengen.tools.shell.described import commands
    from tengen.tools.shell.scripts import SHELLS as WRITERS

    print(WRITERS[values.shell](commands()), end="")
    return 0
