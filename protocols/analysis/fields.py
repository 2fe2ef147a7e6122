"""Checks of the fields of a query. Everything that does not fit raises `BadField` with KataGo's sentence."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from tengen.engine.games.base import BLACK, WHITE
from tengen.protocols.analysis.points import move_of

PLAYERS = {"b": BLACK, "w": WHITE, "black": BLACK, "white": WHITE}
PLAYER = 'Must be "b" or "w"'
VERTICES = "Must be an array of GTP board vertices"
PAIRS = 'Must be an array of pairs of the form: ["b" or "w", GTP board vertex]'
LARGEST = 2**62 - 1
SHOWN = 200  # characters of a wrong value that a message repeats

Size = tuple[int, int]
Move = tuple[int, int]


class BadField(ValueError):
    """A field that cannot be used; `field` names it."""

    def __init__(self, field: str, sentence: str) -> None:
        super().__init__(sentence)
        self.field = field


def whole(query: Mapping[str, Any], field: str, low: int, high: int, sentence: str) -> int:
    value = query.get(field)
    if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
        raise BadField(field, sentence)
    return value


def number(query: Mapping[str, Any], field: str, low: float, high: float, sentence: str) -> float:
    value = query.get(field)
    if not isinstance(value, int | float) or isinstance(value, bool) or not low <= value <= high:
        raise BadField(field, sentence)
    return float(value)


def truth(query: Mapping[str, Any], field: str) -> bool:
    """False where the field is missing."""
    value = query.get(field, False)
    if not isinstance(value, bool):
        raise BadField(field, "Must be a boolean")
    return value


def text(query: Mapping[str, Any], field: str, sentence: str) -> str:
    value = query.get(field)
    if not isinstance(value, str):
        raise BadField(field, sentence)
    return value


def player(query: Mapping[str, Any], field: str) -> int:
    value = query.get(field)
    if not isinstance(value, str) or value.lower() not in PLAYERS:
        raise BadField(field, PLAYER)
    return PLAYERS[value.lower()]


def wholes(query: Mapping[str, Any], field: str, sentence: str) -> list[int]:
    """A list of whole numbers."""
    values = query.get(field)
    if not isinstance(values, list) or any(not isinstance(one, int) or isinstance(one, bool) for one in values):
        raise BadField(field, sentence)
    return values


def moves(query: Mapping[str, Any], field: str, size: Size, *, allows_pass: bool) -> list[Move]:
    """Pairs of a player and a point."""
    values = query.get(field)
    if not isinstance(values, list):
        raise BadField(field, PAIRS)
    found = []
    for pair in values:
        if not (isinstance(pair, list) and len(pair) == 2 and all(isinstance(word, str) for word in pair)):
            raise BadField(field, PAIRS)
        if pair[0].lower() not in PLAYERS:
            raise BadField(field, f"Could not parse player: {pair[0][:SHOWN]}")
        found.append((PLAYERS[pair[0].lower()], _point(pair[1], field, size, allows_pass=allows_pass)))
    return found


def points(query: Mapping[str, Any], field: str, size: Size) -> list[int]:
    """Points, the pass among them."""
    values = query.get(field)
    if not isinstance(values, list) or not all(isinstance(word, str) for word in values):
        raise BadField(field, VERTICES)
    return [_point(word, field, size, allows_pass=True) for word in values]


def is_half(value: float) -> bool:
    """Whether a number is whole or a half."""
    return math.isfinite(value) and (2 * value).is_integer()


def _point(word: str, field: str, size: Size, *, allows_pass: bool) -> int:
    move = move_of(word, *size)
    if move is None or (move == size[0] * size[1] and not allows_pass):
        raise BadField(field, f"Could not parse board location: {word[:SHOWN]}")
    return move
