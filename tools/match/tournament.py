"""`tengen tournament`: as `tengen match`, for more than two engines: a round robin or a gauntlet."""

from __future__ import annotations

from argparse import Namespace

from tengen.tools.arguments import Parser
from tengen.tools.match import command


def configure(parser: Parser) -> None:
    """Declare the options."""
    command.configure(parser, "round-robin")


def run(values: Namespace) -> int:
    """Play, or do what the first word says."""
    return command.run(values)
