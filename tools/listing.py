"""`tengen options`: everything that can be set of a player, with its kind, default and bounds.

Settings are options of the front ends (--threads 2), what has a dot in its name is said with --set (--set mcts.c=0.5).
"""

from __future__ import annotations

import json
import shutil
import sys
import textwrap
from argparse import Namespace
from typing import Any

from tengen.engine.config import Config
from tengen.engine.games import get_game
from tengen.engine.options import Option, shown
from tengen.engine.play.options import options_of
from tengen.tools.arguments import Parser

HEAD = ("name", "kind", "default", "allowed", "what")


def configure(parser: Parser) -> None:
    """Declare the options."""
    parser.add_argument("--game", metavar="GAME", default=Config.game, help="the game (go)")
    parser.add_argument("--player", metavar="NAME", help="the player (the game's strongest)")
    parser.add_argument("--json", action="store_true", help="as one line of JSON, for programs")


def run(values: Namespace) -> int:
    """Print them."""
    options = options_of(get_game(values.game), values.player)
    if values.json:
        print(json.dumps([as_json(option) for option in options]))
    elif sys.stdout.isatty():
        print(as_paragraphs(options, shutil.get_terminal_size().columns))
    else:
        print(as_table(options))
    return 0


def as_paragraphs(options: list[Option], columns: int) -> str:
    """Return name, default and allowed values of each, and below them what it does, in lines of at most `columns`."""
    lines = []
    for option in options:
        values = f"{option.name}  {shown(option.default) or '-'}  ({option.allowed})"
        for text, indent in ((values, ""), (option.doc, "    ")):
            lines += textwrap.wrap(text, columns, initial_indent=indent, subsequent_indent="    ")
    return "\n".join(lines)


def as_table(options: list[Option]) -> str:
    """Return a line for each, the columns in line: for programs and pagers."""
    rows = [HEAD, *((o.name, o.kind, shown(o.default) or "-", o.allowed, o.doc) for o in options)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(HEAD))]
    lines = ("  ".join(f"{cell:{width}}" for cell, width in zip(row, widths, strict=True)) for row in rows)
    return "\n".join(line.rstrip() for line in lines)


def as_json(option: Option) -> dict[str, Any]:
    """Return the facts about an option that a front end needs; bounds and choices if its kind has them."""
    facts: dict[str, Any] = {"name": option.name, "kind": option.kind, "default": option.default}
    if option.kind == "number":
        facts |= {"low": option.low, "high": option.high, "is_whole": option.is_whole}
    if option.kind == "choice":
        facts["choices"] = option.choices
    return facts | {"doc": option.doc}
