"""Ratings of the players of records, on one scale: points of Elo's kind, where a rank is worth 100.

Ranks of Go follow the European Go Federation's scale: 1k is 2000, 1d 2100, 9d 2900. Professionals (9p, P9d) count from
9d on, 10 points a rank. Numbers stand as they are (GGS, KGS analyses, Gomocup). Marks of uncertainty (9d?, 14k*) mean
nothing. Scales of servers differ by a rank or two, which is not looked at.
"""

from __future__ import annotations

import re

from tengen.engine.sentence import excerpt

_RANK = re.compile(
    r"\s*(?:[A-Z]{2,8}\s+)?(?P<pro>P(?=\d))?(?P<number>\d{1,2})\s*(?P<kind>kyu|k|dan|d|pro|p|段|级|級|급|단)",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"\s*(\d{3,4}(?:\.\d{1,6})?)(?![\d.])")
_KINDS = {"级": "k", "級": "k", "급": "k", "段": "d", "단": "d"}


def rating_of(text: str) -> float | None:
    """Return the points of "9d", "3 kyu", "5p", "2196.37"; None without a rating ("NR", "?", "").

    >>> rating_of("9d?"), rating_of("1k"), rating_of("9p"), rating_of("2196.37"), rating_of("NR")
    (2900.0, 2000.0, 2990.0, 2196.37, None)
    """
    number = _NUMBER.match(text[:40])
    if number:
        return float(number[1])
    rank = _RANK.match(text[:40])
    if rank is None or rank["number"] == "0":
        return None
    kind = _KINDS.get(rank["kind"], rank["kind"][0].lower())
    if kind == "p" or rank["pro"]:
        return 2900.0 + 10 * int(rank["number"])
    return 2100.0 - 100 * int(rank["number"]) if kind == "k" else 2000.0 + 100 * int(rank["number"])


def parse_rating(text: str) -> float:
    """Parse a rating that a person gives: a rank or a number. Raises ValueError with one sentence."""
    rating = rating_of(text)
    if rating is None:
        raise ValueError(f"{excerpt(text)} is no rating: a rank such as 9d or 3k, or a number such as 2000")
    return rating
