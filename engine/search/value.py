"""The player that looks one move ahead: of the positions that it can reach it takes the one worth least to the other.

Worth is the network's chance to win, no result counting half; what ends the game is worth its result. All positions
are asked about in one batch, or in few where they are many; where limits or time allow fewer, those whose moves the
policy likes best. Of equal ones the policy's first is taken.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from tengen.engine.games.base import BLACK, Game, State
from tengen.engine.games.players import Entry
from tengen.engine.info import Info, Line, Proof
from tengen.engine.limits import Limits
from tengen.engine.search.base import EARLIER, RECENT, Root
from tengen.engine.search.batching import Patience
from tengen.engine.search.katago_facts import new_tree
from tengen.engine.search.native import info_of, terms_of
from tengen.engine.search.policy import LARGEST_BATCH, MEMORY_MB, PolicySearch
from tengen.engine.search.views import Answers, count_of

if TYPE_CHECKING:
    from tengen.engine._core import StopToken
    from tengen.engine.search.guide import Guide


class Follower(NamedTuple):
    """A move as the policy has it, and the position after it."""

    line: Line
    state: State


class ValueSearch(PolicySearch):
    """Implements `Search`: the look of `PolicySearch`, then one at what follows each of its moves."""

    prefix = "value."

    def __init__(self, game: Game, player: Entry) -> None:
        super().__init__(game, player)
        self._ahead: Any = new_tree(game.name)  # encodes what follows
        self._ahead.set("memory_mb", MEMORY_MB)
        self._trees.append(self._ahead)
        if player.weights is not None:
            self._see()
        self._found: Info | None = None

    def run(self, root: Root, limits: Limits, stop: StopToken) -> Info:
        self._found = None
        return super().run(root, limits, stop)

    def info(self, max_lines: int = 0, ownership: bool = False) -> Info:
        found = self._found
        if found is None:
            return super().info(max_lines, ownership)
        lines = found.lines[:max_lines] if max_lines else found.lines
        return found._replace(lines=lines, ownership=found.ownership if ownership else ())

    def clear(self) -> None:
        super().clear()
        self._found = None

    def _look(self, guide: Guide, root: Root, limits: Limits, patience: Patience) -> None:
        super()._look(guide, root, limits, patience)
        policy = info_of(self.tree.info(0, self.has_owners))
        lines: list[Line] = []
        for found in self._answered(guide, root, policy.lines[: _most(limits)], patience):
            lines += found
            self._found = _report(policy, lines)

    def _answered(self, guide: Guide, root: Root, moves: Sequence[Line], patience: Patience) -> Iterator[list[Line]]:
        """What is known of moves, part by part: first what ends the game, then what the network says."""
        followers = [Follower(line, _after(root.state, line.move)) for line in moves]
        yield [_ended(one, root.state.to_move) for one in followers if one.state.is_terminal()]
        open_ones = [one for one in followers if not one.state.is_terminal()]
        width, height = root.state.width, root.state.height
        room = LARGEST_BATCH // (count_of(width, height) if self._symmetry == "mean" else 1)
        for begin in range(0, len(open_ones), room):
            part = open_ones[begin : begin + room]
            place = self._place(width, height, len(part))
            for row, one in enumerate(part):
                recent = [*root.recent, one.line.move][-RECENT:]
                after = root._replace(state=one.state, recent=recent, allow=(), avoid=(), earlier=())
                self._ahead.begin(one.state, [*root.earlier, root.state][-EARLIER:], *terms_of(after, Limits(visits=1)))
                self._ahead.collect(*place.part(row, row + 1))
                self._ahead.end()
            answers = self._ask(guide, place, patience, is_first=False)
            if answers is None:
                return
            yield [_line(one.line, answers, row, root) for row, one in enumerate(part)]


def _after(state: State, move: int) -> State:
    after = state.copy()
    after.play(move)
    return after


def _most(limits: Limits) -> int | None:
    """How many moves may be looked at beside the position itself; None: all."""
    counts = [count for count in (limits.playouts, limits.visits) if count]
    return min(counts) - 1 if counts else None


def _ended(one: Follower, mover: int) -> Line:
    """A move that ends the game."""
    margin = one.state.result() * (1 if mover == BLACK else -1)
    result = (margin > 0) - (margin < 0)
    win, draw = float(result > 0), float(result == 0)
    return one.line._replace(
        visits=1, win=win, draw=draw, loss=1 - win - draw, score=margin, lcb=win + draw / 2,
        bound="exact", proof=Proof(result, 1), depth=1, seldepth=1,
    )  # fmt: skip


def _line(line: Line, answers: Answers, row: int, root: Root) -> Line:
    """A move by what the network says of the position after it, to the opponent."""
    loss, draw, win = (float(share) for share in answers.values[row])
    lent = root.komi_shift * (1 if root.state.to_move == BLACK else -1)
    score = 0.0 if answers.scores is None else -float(answers.scores[row]) - lent
    return line._replace(visits=1, win=win, draw=draw, loss=loss, score=score, lcb=win + draw / 2, depth=1, seldepth=1)


def _report(policy: Info, lines: Sequence[Line]) -> Info | None:
    """The lines, least for the opponent first; None without any."""
    if not lines:
        return None
    order = {line.move: rank for rank, line in enumerate(policy.lines)}
    ranked = sorted(lines, key=lambda line: (-line.expected, order[line.move]))
    best, looks = ranked[0], len(ranked)
    return policy._replace(
        lines=tuple(ranked), visits=policy.visits + looks, playouts=policy.playouts + looks,
        nodes=policy.nodes + looks, expected=best.expected, draw=best.draw, score=best.score,
    )  # fmt: skip
