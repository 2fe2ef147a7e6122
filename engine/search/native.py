"""A search of the core behind the Search contract, whatever the kind: translates values, holds no logic of its own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from tengen.engine.games.base import Game, State
from tengen.engine.games.players import Entry
from tengen.engine.info import FinalScore, Info, Line, Proof
from tengen.engine.limits import Limits
from tengen.engine.options import Option, Value, check, number, text
from tengen.engine.search import fitting
from tengen.engine.search.base import Root
from tengen.engine.sentence import excerpt

if TYPE_CHECKING:
    from tengen.engine._core import StopToken


class NativeSearch:
    """Implements `Search` over the core's search of a game and evaluator (`_core.GoMcts`, ...).

    Raises ValueError with one sentence for a game or an evaluator that the core has no such search for, and for weights
    that the evaluator cannot read.
    """

    kind: ClassVar[str]
    """The name of this kind in a sentence."""
    prefix: ClassVar[str]
    """The prefix of the names of its options."""
    part: ClassVar[str]
    """The field of a game's `Parts` with its search in the core."""
    usual: ClassVar[str]
    """The evaluator of a player that names none."""

    def __init__(self, game: Game, player: Entry) -> None:
        self._native: Any = native(self.part, self.kind, game, player.evaluator or self.usual, player.weights)

    def options(self) -> Sequence[Option]:
        return [option_of(self.prefix, *facts) for facts in self._native.options()]

    def configure(self, values: Mapping[str, Value]) -> None:
        for name, value in fitting(self.options(), values).items():
            self._native.set(name.removeprefix(self.prefix), value)

    def run(self, root: Root, limits: Limits, stop: StopToken) -> Info:
        held_back = [list(plies) for plies in root.held_back]
        self._native.run(root.state, *terms_of(root, limits), stop, limits.to_end, limits.plan or 0.0, *held_back)
        return self.info()

    def seconds_to_solve(self, state: State) -> float:
        """About how many seconds `run` needs to know how the game ends; 0: it does not try."""
        return float(self._native.seconds_to_solve(state))

    def info(self, max_lines: int = 0, ownership: bool = False) -> Info:
        return info_of(self._native.info(max_lines, ownership))

    def clear(self) -> None:
        self._native.clear()


def native(part: str, kind: str, game: Game, evaluator: str, weights: Path | None = None) -> Any:
    """The core's search of a game with an evaluator and the file that this reads. Raises ValueError."""
    name = getattr(game.parts, part)
    if not name:
        raise ValueError(f"no {kind} serves {game.name}")
    make = game.parts.native(name)
    names = [name for name, _ in make.evaluators()]
    if evaluator not in names:
        from tengen.engine.config import nearest

        raise ValueError(f"{game.name} has no evaluator {excerpt(evaluator, 60)}{nearest(evaluator, names)}")
    if weights is None:
        return make(evaluator)
    from tengen.engine.evaluators.weights import read_weights

    return make(evaluator, read_weights(weights, game.name, evaluator))


def info_of(native: Any) -> Info:
    """A report of the core (`_core.SearchInfo`)."""
    return Info(
        lines=tuple([_line(line) for line in native.lines]),
        to_move=native.to_move,
        visits=native.visits,
        playouts=native.playouts,
        nodes=native.nodes,
        probes=native.probes,
        seconds=native.seconds,
        expected=native.win,
        draw=native.draw,
        score=native.score,
        final_score=_final(native),
        hashfull=native.hashfull,
        ownership=tuple(native.ownership),
    )


def terms_of(root: Root, limits: Limits) -> tuple[Any, ...]:
    """Return the arguments of a run in the core between the position and the stop token: facts of the root, then
    bounds, those that every search has."""
    return (
        list(root.seen),
        list(root.recent),
        list(root.allow),
        list(root.avoid),
        root.komi_shift,
        limits.seconds or 0.0,
        limits.playouts or 0,
        limits.visits or 0,
        limits.depth or 0,
        limits.early_stop,
    )


def option_of(prefix: str, name: str, value: float | str, low: float, high: float, doc: str, kind: str) -> Option:
    """One of the core's settings: a number there, or text."""
    if isinstance(value, str):
        return text(prefix + name, value, doc)
    if kind == "check":
        return check(prefix + name, bool(value), doc)
    return number(prefix + name, value, low, high, doc, is_whole=kind == "whole")


def _final(native: Any) -> FinalScore | None:
    return None if native.final_score is None else FinalScore(*native.final_score)


def _line(native: Any) -> Line:
    """A draw counts half in the core's value, to which the margin may add a little."""
    pv = tuple(native.pv)
    draw = min(native.draw, 2 * native.win, 2 * (1 - native.win))
    return Line(
        move=native.move,
        pv=pv,
        visits=native.visits,
        win=native.win - draw / 2,
        draw=draw,
        loss=1.0 - native.win - draw / 2,
        score=native.score,
        final_score=_final(native),
        lcb=native.lcb,
        prior=native.prior,
        bound=native.bound,
        proof=Proof(native.proof, max(native.plies_to_end, len(pv))) if native.is_proved else None,
        depth=native.depth,
        seldepth=native.seldepth,
    )
