"""argparse with Tengen's manners: one sentence and a hint on stderr, exit code 2, and dashes as editors type them."""

from __future__ import annotations

import argparse
import os
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NoReturn

from tengen.engine.config import nearest
from tengen.engine.sentence import printable

# hyphen, non-breaking hyphen, figure dash, en dash, em dash, horizontal bar, minus, small and full-width hyphens
_DASHES = "\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63\uff0d"
_LEADING = re.compile(f"^[-{_DASHES}]+")


def plain_dashes(argument: str) -> str:
    """Spell an option whose dashes an editor has "corrected" with ASCII hyphens; leave any other text alone.

    >>> plain_dashes("–playouts=5"), plain_dashes("—threads"), plain_dashes("−h"), plain_dashes("−1.5")
    ('--playouts=5', '--threads', '-h', '-1.5')
    """
    run = _LEADING.match(argument)
    if run is None or run.group().isascii():
        return argument
    rest = argument[run.end() :]
    name = rest.partition("=")[0]
    return ("--" if len(name) > 1 and not name[0].isdigit() and name[0] != "." else "-") + rest


def sentence(error: Exception) -> str:
    """Return an error's sentence for a person: of a file its name and what is wrong, without the system's number.

    >>> sentence(FileNotFoundError(2, "No such file or directory", "x/y.sgf"))
    "'x/y.sgf': No such file or directory"
    """
    if isinstance(error, OSError) and error.filename is not None:
        return printable(f"'{error.filename}': {error.strerror}")
    return printable(error.strerror if isinstance(error, OSError) and error.strerror else str(error))


class _Formatter(argparse.HelpFormatter):
    """One is made for every option that is added; left to itself, it imports shutil to learn the terminal's width."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, width=_columns() - 2)


def _columns() -> int:
    """The width of the terminal in columns, as shutil tells it."""
    try:
        return int(os.environ["COLUMNS"]) or 80
    except (KeyError, ValueError):
        pass
    try:
        return os.get_terminal_size(sys.__stdout__.fileno()).columns or 80 if sys.__stdout__ else 80
    except (OSError, ValueError):
        return 80


class Parser(argparse.ArgumentParser):
    """A parser that names the nearest right option or command and never prints a usage block at a mistake."""

    def __init__(self, **settings: Any) -> None:
        settings.setdefault("allow_abbrev", False)
        settings.setdefault("formatter_class", _Formatter)
        super().__init__(**settings)
        self.late_help: Callable[[], Mapping[str, str]] = dict
        """Makes the help of options by their destination, when help is asked for: a front end has no time for it."""

    def format_help(self) -> str:
        """Return the help, with the parts that are made late."""
        late = self.late_help()
        for action in self._actions:
            action.help = late.get(action.dest, action.help)
        return super().format_help()

    def option_names(self) -> list[str]:
        """Every long option, as it is typed."""
        return [name for action in self._actions for name in action.option_strings if name.startswith("--")]

    def parse_strictly(self, arguments: Sequence[str]) -> argparse.Namespace:
        """Parse all of `arguments`; a word that is not understood ends the program with a sentence."""
        values, extra = self.parse_known_args([plain_dashes(word) for word in arguments])
        if extra:
            self.refuse(extra[0])
        return values

    def refuse(self, word: str) -> NoReturn:
        """End the program over a word that is no option of this command."""
        name = word.partition("=")[0]
        if not name.startswith("-"):
            self.error(f"unexpected argument '{word}'")
        self.error(f"unknown option {name}{nearest(name, self.option_names())}")

    def error(self, message: str) -> NoReturn:
        """One sentence on stderr, a hint, exit code 2."""
        message = printable(re.sub(r"^argument (\S+?)(?:/\S+)*: ", r"\1: ", message))
        stop = "" if message[-1:] in ".?!" else "."
        print(f"{self.prog}: {message}{stop} See '{self.prog} --help'.", file=sys.stderr)
        raise SystemExit(2)


def whole_number(text: str, low: int, high: int) -> int:
    """Parse an integer in [low, high]. Raises argparse.ArgumentTypeError with a sentence."""
    try:
        value = int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"'{text}' is not a whole number") from None
    if not low <= value <= high:
        raise argparse.ArgumentTypeError(f"{text} is not between {low} and {high}")
    return value


def number(text: str, low: float, high: float) -> float:
    """Parse a finite number in [low, high]. Raises argparse.ArgumentTypeError with a sentence."""
    try:
        value = float(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"'{text}' is not a number") from None
    if not low <= value <= high:  # also refuses nan
        raise argparse.ArgumentTypeError(f"{text} is not between {low:g} and {high:g}")
    return value
