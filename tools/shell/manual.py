"""`tengen man`: print the manual page of tengen, for `man`."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from tengen.tools.arguments import Parser

if TYPE_CHECKING:
    from tengen.tools.shell.described import Argument, Described


EXIT_CODES = {
    "0": "done",
    "1": "the command itself reports a failure",
    "2": "the command line or the configuration is wrong",
    "130": "interrupted",
}
ENVIRONMENT = {
    "TENGEN_NETWORKS": "folders where networks are looked for",
    "TENGEN_CACHE": "the folder of compiled networks; none: nothing is kept",
    "TENGEN_CPU": "the core of a wheel to use, such as x86-64-v2, in place of the best one for the CPU",
}


def configure(parser: Parser) -> None:
    """There is nothing to set."""


def run(values: Namespace) -> int:
    """Print the page."""
    from tengen.engine.version import __version__
    from tengen.tools.shell.described import commands

    print("\n".join(page(commands(), __version__)))
    return 0


def page(commands: Sequence[Described], version: str) -> Iterator[str]:
    """Yield the lines of the page in the macros of man(7)."""
    yield f'.TH TENGEN 1 "" "tengen {escaped(version)}" "User Commands"'
    yield ".SH NAME"
    yield r"tengen \- play, analyse and measure Go, Gomoku, Reversi and chess"
    yield ".SH SYNOPSIS"
    yield ".B tengen"
    yield '.IR COMMAND " [options]"'
    yield ".SH DESCRIPTION"
    yield (
        "A headless engine for board games. It speaks GTP, the Gomocup protocol, NBoard, UCI and XBoard's protocol on\n"
        "standard input and output, reads photos of boards, plays matches between engines, reviews games and trains\n"
        "networks."
    )
    yield ".SH COMMANDS"
    for one in commands:
        yield f".SS tengen {escaped(one.name)}"
        yield escaped(f"{one.summary[:1].upper()}{one.summary[1:]}.")
        for argument in one.arguments:
            if "--help" not in argument.names:
                yield ".TP"
                yield heading(argument)
                yield escaped(argument.help)
    yield ".SH EXIT STATUS"
    for code, meaning in EXIT_CODES.items():
        yield from (".TP", f".B {code}", meaning)
    yield ".SH ENVIRONMENT"
    for name, meaning in ENVIRONMENT.items():
        yield from (".TP", f".B {name}", meaning)


def heading(argument: Argument) -> str:
    """The line that names an option or an argument."""
    names = ", ".join(rf"\fB{escaped(name)}\fR" for name in argument.names)
    metavar = rf"\fI{escaped(argument.metavar)}\fR" if argument.metavar else ""
    return " ".join(filter(None, (names, metavar)))


def escaped(text: str) -> str:
    """Escape a text for troff: backslashes, hyphens as they are typed, and a first letter that would be a request.

    >>> escaped(".x --y"), escaped("a-b")
    ('\\\\&.x \\\\-\\\\-y', 'a\\\\-b')
    """
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return "\\&" + text if text[:1] in (".", "'") else text
