"""`tengen rate`: an engine's rating by games against opponents of known rating, a gauntlet whose anchors they are."""

from __future__ import annotations

from argparse import Namespace

from tengen.tools.arguments import Parser
from tengen.tools.match import command


def configure(parser: Parser) -> None:
    """Declare the options."""
    command.configure(parser, "rate")


def run(values: Namespace) -> int:
    """Play, or do what the first word says."""
    return command.run(values)
