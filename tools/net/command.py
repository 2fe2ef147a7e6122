"""`tengen net list|get|check|bench`: KataGo networks on this machine, how to have more, whether one works, how fast.

    tengen net list               every network found, the one that `--net auto` takes first
    tengen net get                what can be had by one command
    tengen net get NAME           fetches it to where `--net auto` finds it; or --url ADDRESS --sha256 HASH
    tengen net check [FILE]       reads all of it, runs it, compares the precisions
    tengen net check [FILE] --reference JSON   how far each precision is from KataGo's own answers
    tengen net bench [FILE]       positions per CPU-second by board size, precision and batch, and what follows from it
    tengen net bench [FILE] --search           visits of the search per CPU-second, and their share of that

FILE is what `--net` takes; auto where it is left out. Exit code 2 for a file that cannot be used.
"""

from __future__ import annotations

import argparse
from argparse import Namespace
from functools import partial
from pathlib import Path

from tengen.engine.config import ConfigError
from tengen.tools.arguments import Parser, number, whole_number

ACTIONS = ("list", "get", "check", "bench")


def configure(parser: Parser) -> None:
    """Declare the options."""
    parser.add_argument("action", choices=ACTIONS, metavar="|".join(ACTIONS), help="what to do")
    which = "the network (the one that auto takes); of get: its name"
    parser.add_argument("file", nargs="?", default="auto", metavar="FILE", help=which)
    parser.add_argument("--backend", metavar="NAME", help="what runs it: openvino (the default), openvino-gpu, torch")
    group = parser.add_argument_group("of get")
    group.add_argument("--url", metavar="ADDRESS", help="fetch a network from there")
    group.add_argument("--sha256", metavar="HASH", help="of that file: 64 hexadecimal digits")
    group = parser.add_argument_group("of check")
    group.add_argument("--reference", metavar="JSON", help="KataGo's raw answers: how far each precision is from them")
    group = parser.add_argument_group("of bench")
    group.add_argument("--sizes", type=_numbers(2, 25), metavar="N,N", default=(9, 13, 19), help="boards (9,13,19)")
    group.add_argument("--batches", type=_numbers(1, 256), metavar="N,N", default=(1, 4, 8, 16), help="(1,4,8,16)")
    group.add_argument(
        "--seconds", type=partial(number, low=0.01, high=60), metavar="S", default=0.5, help="for each figure (0.5)"
    )
    group.add_argument("--search", action="store_true", help="visits of the search against the network by itself")


def run(values: Namespace) -> int:
    """Do it."""
    if values.action == "list":
        from tengen.tools.net.listing import show

        return show()
    if values.action == "get":
        return _get(values)
    path = _chosen(values.file)
    if values.action == "check" and values.reference:
        from tengen.tools.net.reference import check_reference

        return check_reference(path, Path(values.reference), values.backend)
    if values.action == "check":
        from tengen.tools.net.checking import check

        return check(path, values.backend)
    if values.search:
        from tengen.tools.net.searching import measure_search

        return measure_search(path, values.sizes, values.batches, values.seconds, values.backend)
    from tengen.tools.net.measuring import measure

    return measure(path, values.sizes, values.batches, values.seconds, values.backend)


def _get(values: Namespace) -> int:
    """Raises ConfigError, NetworkError, OSError."""
    from tengen.tools.net import getting

    is_named = values.file != "auto"
    if (values.url is None) != (values.sha256 is None) or (values.url and is_named):
        raise ConfigError("'tengen net get' takes a name, or --url and --sha256 together")
    if values.url:
        return getting.get_from(values.url, values.sha256)
    return getting.get(values.file) if is_named else getting.show_offers()


def _chosen(word: str) -> Path:
    """The file that the word means. Raises NetworkError."""
    from tengen.engine.evaluators import shipped
    from tengen.engine.evaluators.background import AUTO, chosen_file, not_found

    chosen = chosen_file(AUTO if word.lower() == AUTO else shipped.named(word))
    if chosen is None:
        raise not_found(None)
    return chosen.path


class _numbers:
    """Reads "9,19": whole numbers within bounds, ascending, each once."""

    def __init__(self, low: int, high: int) -> None:
        self._low, self._high = low, high

    def __call__(self, text: str) -> tuple[int, ...]:
        found = sorted({whole_number(word, self._low, self._high) for word in text.split(",")})
        if len(found) > 16:
            raise argparse.ArgumentTypeError("more than 16 numbers")
        return tuple(found)
