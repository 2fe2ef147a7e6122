"""The stakes of one move in Go: the chains in atari, of both colours, that the next move decides.

Reading is the core's: a chain is saved when it is out of atari and no ladder takes it then. A capture whose taker
may be taken at once by more stones (a snapback) gains nothing. Left out: chains of two liberties and more, which
ownership judges.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, NamedTuple, cast

from tengen.engine.games.base import State
from tengen.engine.games.go.board import neighbours

if TYPE_CHECKING:
    from tengen.engine._core import GoState


class Stake(NamedTuple):
    """A chain in atari that the side to move saves or captures by `move`.

    chain: its cells. saved: the cells it is connected with once its owner has saved it; empty where that is impossible.
    """

    move: int
    chain: tuple[int, ...]
    saved: frozenset[int]


def stakes(state: State, is_allowed: Callable[[int], bool]) -> list[Stake]:
    """Every capture and rescue that the side to move has, the largest chain first."""
    go = cast("GoState", state)
    found = [stake for chain in _in_atari(go) for stake in _stakes_of(go, chain, is_allowed)]
    return sorted(found, key=lambda stake: -len(stake.chain))


def _in_atari(state: GoState) -> Iterator[tuple[int, ...]]:
    done: set[int] = set()
    for cell, stone in enumerate(state.stones()):
        if stone and cell not in done:
            chain = tuple(state.chain(cell))
            done.update(chain)
            if len(state.liberties_of(cell)) == 1:
                yield chain


def _stakes_of(state: GoState, chain: tuple[int, ...], is_allowed: Callable[[int], bool]) -> Iterator[Stake]:
    owner = state.stones()[chain[0]] - 1
    rescues = dict(_rescues(state, chain, owner))
    if owner == state.to_move:
        yield from (Stake(move, chain, saved) for move, saved in rescues.items() if is_allowed(move))
        return
    (liberty,) = state.liberties_of(chain[0])
    if is_allowed(liberty) and not _is_taken_back(state, chain, liberty):
        yield Stake(liberty, chain, frozenset().union(*rescues.values()))


def _rescues(state: GoState, chain: tuple[int, ...], owner: int) -> Iterator[tuple[int, frozenset[int]]]:
    """Moves by which the owner saves a chain in atari, and what it is connected with then."""
    for move in sorted({*state.liberties_of(chain[0]), *_countercaptures(state, chain, owner)}):
        after = state.copy()
        after.set_to_move(owner)
        if after.is_legal(move):
            after.play(move)
            if len(after.liberties_of(chain[0])) > 1 and after.ladder(chain[0]) == "escapes":
                yield move, frozenset(after.chain(chain[0]))


def _countercaptures(state: GoState, chain: tuple[int, ...], owner: int) -> set[int]:
    """The last liberties of enemy chains beside this one."""
    stones = state.stones()
    beside = {n for cell in chain for n in neighbours(state, cell) if stones[n] == 2 - owner}
    return {state.liberties_of(n)[0] for n in beside if len(state.liberties_of(n)) == 1}


def _is_taken_back(state: GoState, chain: tuple[int, ...], move: int) -> bool:
    """Whether the capture leaves more stones in atari than it takes; a ko takes as many."""
    after = state.copy()
    after.play(move)
    return len(after.liberties_of(move)) == 1 and len(after.chain(move)) > len(chain)
