"""Games of one file that were never closed: where each of them ends, from one scan of them all.

A game that lacks its last parenthesis goes on to the end of the file, through all games after it. Without what is
found here each of those would be scanned to the end again: work by the square of their number.
"""

from __future__ import annotations

from collections.abc import Sequence

from tengen.engine.records.sgf_tokens import Token

_ROOT = ("GM", "FF", "SZ")


def next_games(tokens: Sequence[Token]) -> list[int]:
    """Return the numbers of the tokens with which another game begins: a parenthesis, and a node that names the game,
    the format or the size."""
    return [
        number
        for number in range(1, len(tokens) - 2)
        if tokens[number].kind == "(" and tokens[number + 1].kind == ";" and tokens[number + 2].name in _ROOT
        and tokens[number + 2].kind == "name"
    ]  # fmt: skip


def ends(content: bytes, tokens: Sequence[Token], begins: Sequence[int]) -> dict[int, int]:
    """Return, for games after the first one that are not closed either, the place of their first parenthesis and that
    of the game which ends them.

    tokens: of an unclosed game, up to the end of the file. begins: `next_games` of them.
    """
    closed, found = _closed(tokens), dict[int, int]()
    waiting = iter(begins)
    at = next(waiting, None)
    while at is not None:
        end = closed[at]
        if end is None:
            after = next((number for number in waiting if number > at), None)
            if after is not None:
                found[tokens[at].at] = tokens[after].at
            at = after
        else:
            places = range(end + 1, len(tokens) - 1)
            at = next((place for place in places if _begins(content, tokens, place)), None)
    return found


def _begins(content: bytes, tokens: Sequence[Token], number: int) -> bool:
    """Whether a game begins with this token, which the file has: some parentheses are repairs."""
    token = tokens[number]
    return token.kind == "(" and tokens[number + 1].kind == ";" and content[token.at : token.at + 1] == b"("


def _closed(tokens: Sequence[Token]) -> list[int | None]:
    """For each parenthesis that opens, the number of the one that closes it, None if none does."""
    closed: list[int | None] = [None] * len(tokens)
    opened: list[int] = []
    for number, token in enumerate(tokens):
        if token.kind == "(":
            opened.append(number)
        elif token.kind == ")" and opened:
            closed[opened.pop()] = number
    return closed
