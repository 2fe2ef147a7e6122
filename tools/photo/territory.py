"""Judge the owners of points on a finished Go board: dead stones as the engine's playouts see them, territory and the
margin.

A picture shows stones only. Prisoners are not in it: under territory scoring they follow from the number of stones on
the board, if both sides made equally many moves (`prisoners`). Which stones are dead is a proposal; what it rests on is
told, and `--edit` takes off what the players took off. Left out: bent four by ruling, dame that are still to be played,
a seki of groups with an eye each (their playouts end with one of them taken).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tengen.engine._core import StopToken
from tengen.engine.config import nearest
from tengen.engine.games import get_game
from tengen.engine.games.base import BLACK, State
from tengen.engine.games.go.board import Board, neighbours, regions
from tengen.engine.games.go.ending import LARGEST_DAME, judge
from tengen.engine.games.go.game import parse_rules
from tengen.engine.games.go.rules import RULE_SETS, GoRules
from tengen.engine.games.hooks import Chains, FinalStatus, hooks_of
from tengen.engine.info import Info
from tengen.engine.limits import Limits
from tengen.engine.search import make_search
from tengen.engine.search.base import Root
from tengen.tools.photo.results import PhotoError

Stones = NDArray[np.int8]
PLAYOUTS = 5_000
"""The playouts of each search; a position takes two to six of them, about a second together on 19x19."""
ROUNDS = 3
TAKEN = 0.1
"""A chain whose owner's mean ownership, both sides moving first in turn, is below this is dead.

The game is over, so what hangs on who moves first (0) counts as taken, as Japanese rules have it: alive is what the
opponent cannot capture. Of 92 finished games on 9x9 and 13x13 -0.25 counts 88 exactly, 0.1 92 and 0.3 91."""
DOUBT = 0.5
"""A chain whose mean ownership (absolute) is below this is one for the players to look at."""
_SEED = 1


@dataclass(frozen=True)
class Territory:
    """A finished position judged.

    stones, owner: (size, size), 0 nobody, 1 black, 2 white; a dead stone's point is its enemy's. dead, seki, doubtful:
    chains of (row, column). points: (black, white) without komi. score: black - white - komi. other: the score if the
    moves were not equally many, where that counts. is_finished: no border is open. supposed: sentences about points
    that were taken for something else than was read.
    """

    stones: Stones
    owner: Stones
    dead: tuple[tuple[tuple[int, int], ...], ...]
    seki: tuple[tuple[tuple[int, int], ...], ...]
    doubtful: tuple[tuple[tuple[int, int], ...], ...]
    points: tuple[float, float]
    score: float
    other: float | None
    rules: GoRules
    komi: float
    is_finished: bool
    supposed: tuple[str, ...] = ()

    @property
    def margin(self) -> str:
        """ "B+3.5", "W+12" or "0"; "B+3 or B+2" when the prisoners leave it open."""
        return margin_text(self.score) + (f" or {margin_text(self.other)}" if self.other is not None else "")


def margin_text(score: float) -> str:
    """A margin as SGF has it: "B+3.5", "W+12", "0"."""
    return f"{'B' if score > 0 else 'W'}+{abs(score):g}" if score else "0"


def territory_map(
    stones: Stones,
    rules: str | None = None,
    komi: float | None = None,
    *,
    next_player: int | None = None,
    handicap: int = 0,
    captured: tuple[int, int] | None = None,
    playouts: int = PLAYOUTS,
) -> Territory:
    """Judge a position (size, size) of 0 empty, 1 black, 2 white, as if the game ended here.

    rules: a rule set's name, None the usual one. komi: None the rules' usual one. next_player: 0 or 1, whose turn it
    would be. captured: (black, white) stones that were taken; None works it out (`prisoners`). The same position gives
    the same answer. Raises PhotoError for unknown rules and for stones that cannot stand so.
    """
    named = _rules(rules)
    game = get_game("go")
    height, width = stones.shape
    usual = hooks_of(game).usual_komi(game, named)
    total = (usual if komi is None else komi) + named.handicap_bonus(handicap)
    state: Any = game.new_state(width, height, named, total)
    try:
        state.setup(stones.astype(np.uint8).tobytes(), BLACK if next_player is None else next_player)
    except ValueError as error:
        raise PhotoError(f"the position cannot be scored: {error}; correct the stones with --edit") from None
    status = settle(state, named, playouts)
    mask = bytearray(width * height)
    for chain in status.dead:
        for cell in chain:
            mask[cell] = 1
    black, white = state.score(bytes(mask))
    other = None
    if named.scoring == "territory":
        taken = captured or prisoners(stones, next_player, handicap)
        black, white = black + taken[1], white + taken[0]
        other = black - white - total - 1 if captured is None and next_player is None else None
    living = [0 if off else stone for stone, off in zip(state.stones(), mask, strict=True)]
    return Territory(
        stones=stones,
        owner=_owner(state, living, status, named),
        dead=_points(status.dead, width),
        seki=_points(status.seki, width),
        doubtful=_points(_doubtful(status), width),
        points=(black, white),
        score=black - white - total,
        other=other,
        rules=named,
        komi=total,
        is_finished=_is_closed(state, living),
    )


def prisoners(stones: Stones, next_player: int | None, handicap: int = 0) -> tuple[int, int]:
    """(black, white) stones that were taken, as far as the picture tells: their difference is right, one of them is 0.

    Who made as many moves as the other, and has more stones on the board, has lost so many fewer. Black has made one
    move more when White is next; with handicap White moved first, and the stones put down count as none. Unknown who
    is next: equally many. Wrong where somebody passed before the end: of 284 finished games of the GNU Go regression
    tests it was right in 128 and off by one in 106.
    """
    black, white = int((stones == 1).sum()), int((stones == 2).sum())
    ahead = 0 if next_player is None else next_player - (1 if handicap > 1 else 0)
    difference = (handicap if handicap > 1 else 0) + ahead - (black - white)
    return max(0, difference), max(0, -difference)


def settle(state: State, rules: GoRules, playouts: int) -> FinalStatus:
    """The judgement of a game that has ended, made again with the score at stake until it stays.

    A search whose side wins or loses anyway plays carelessly, and no group's fate shows. So the margin that was found
    is lent to the loser, and every point decides the game. Whatever the players left open, an attacker who moves first
    may take: see `TAKEN`.
    """
    search = make_search(get_game("go"), "uct", {"mcts.threads": 1.0, "mcts.seed": float(_SEED)})
    lent = 0.0

    def explore(root: State) -> Info:
        search.clear()
        search.run(Root(root, komi_shift=lent), Limits(playouts=playouts), StopToken())
        return search.info(0, True)

    if not rules.removes_dead:
        return judge(state, rules, explore)
    status = _ended(state, rules, judge(state, rules, explore))
    for _ in range(ROUNDS - 1):
        lent = -status.score
        again = _ended(state, rules, judge(state, rules, explore))
        is_settled = again.dead == status.dead and again.score == status.score
        status = again
        if is_settled:
            break
    return status


def _ended(state: Any, rules: GoRules, status: FinalStatus) -> FinalStatus:
    """The judgement with chains dead by `TAKEN`; `games.go.ending` gives running games the benefit of the doubt."""
    board = Board(state, status.ownership, as_it_stands=True)
    dead = [chain.cells for chain in board.chains if chain.life < TAKEN]
    mask = bytearray(state.cells)
    for cells in dead:
        for cell in cells:
            mask[cell] = 1
    living = [0 if off else stone for stone, off in zip(board.stones, mask, strict=True)]
    has_seki = rules.scoring == "territory" and _is_closed(state, living)
    is_seki = state.seki(bytes(mask)) if has_seki else bytes(state.cells)
    alive = [chain.cells for chain in board.chains if chain.cells not in dead]
    black, white = state.score(bytes(mask))
    return status._replace(
        alive=tuple(cells for cells in alive if not is_seki[cells[0]]),
        dead=tuple(dead),
        seki=tuple(cells for cells in alive if is_seki[cells[0]]),
        score=black - white - state.komi,
    )


def _is_closed(state: State, living: list[int]) -> bool:
    """Whether no neutral region between the living stones is large."""
    return all(len(one.cells) <= LARGEST_DAME for one in regions(state, living) if one.borders == {1, 2})


def _rules(name: str | None) -> GoRules:
    if not name:
        return next(iter(RULE_SETS.values()))
    try:
        return parse_rules(name)[0]
    except ValueError:
        raise PhotoError(f"unknown rules '{name}' of Go{nearest(name, RULE_SETS)}") from None


def _owner(state: State, living: list[int], status: FinalStatus, rules: GoRules) -> Stones:
    """Living stones, and the regions between them that one side borders; in seki none under a tax."""
    owner = list(living)
    in_seki = {cell for chain in status.seki for cell in chain} if rules.tax != "none" else set()
    for region in regions(state, living):
        if len(region.borders) == 1 and not region.cells & _beside(state, in_seki):
            for cell in region.cells:
                owner[cell] = next(iter(region.borders))
    return np.array(owner, np.int8).reshape(state.height, state.width)


def _beside(state: State, cells: Iterable[int]) -> set[int]:
    return {other for cell in cells for other in neighbours(state, cell)}


def _doubtful(status: FinalStatus) -> Chains:
    """Chains whose fate the searches did not agree on, the least certain first."""
    found = []
    for chain in (*status.alive, *status.dead, *status.seki):
        belief = abs(sum(status.ownership[cell] for cell in chain)) / len(chain)
        if belief < DOUBT:
            found.append((belief, chain))
    return tuple(chain for _, chain in sorted(found))


def _points(chains: Chains, width: int) -> tuple[tuple[tuple[int, int], ...], ...]:
    return tuple(tuple(divmod(cell, width) for cell in chain) for chain in chains)
