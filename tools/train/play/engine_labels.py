"""Labelled positions of chess, labelled anew by a UCI engine that knows more: a file of them as a unit of work.

An own search sees some plies further than the network that it asks, and what the network misjudges everywhere stays as
it is. A teacher knows better. It gets the positions one by one, without castling rights, which neither the files nor
our networks have. The results of the games stay.

A search also asks about positions behind moves that nobody plays, so positions a random move away may be labelled, too.
Many of those are behind captures, so a share of the moves may be drawn among captures alone. Positions that are won
anyway teach little and may be thinned.
"""

from __future__ import annotations

import dataclasses
import math
import random
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tengen.engine.games.chess.text import board_of, state_from_fen
from tengen.tools.engines.blocking import BlockingProcess
from tengen.tools.engines.pipes import Hearing
from tengen.tools.engines.process import CannotStart, Launch
from tengen.tools.executors.base import Unit
from tengen.tools.train.chess.label import is_quiet
from tengen.tools.train.data import positions
from tengen.tools.train.data.positions import HIGHEST, UNKNOWN, Collector, LabelledPositions, squares_of

START_SECONDS, ANSWER_SECONDS, QUIT_SECONDS = 60.0, 60.0, 1.0
KEPT = 1 << 16
"""Bytes of an answer that are read: its last score stands in its last lines, and a short search says few."""
EVALUATED = "Final evaluation"
"""Begins the line of `eval` that counts: pawns for White."""
MATE = 10_000
"""Centipawns of a mate."""
STRETCHES = (0.25, 4.0)
LOPSIDED = 1000
"""Centipawns of ours from which a position is won anyway."""


class TeacherError(ValueError):
    """A teacher that does not answer as UCI engines do; the message is one sentence."""


def label_unit(unit: Unit) -> Mapping[str, Any]:
    """A file of positions into one with the teacher's scores. facts: positions (the file), teacher (the words of its
    command), nodes (of each search; 0: its static evaluation), beside (positions a random move behind each one),
    captures (share of those whose move takes or promotes), lopsided (share that is kept of what is won anyway), seed
    (of what is drawn). Raises TeacherError, PositionsError, OSError."""
    facts, begun = unit.facts, time.monotonic()
    source = random.Random(facts["seed"])
    found = positions.read_named(Path(facts["positions"]))
    own = found.scores
    if facts["beside"]:
        found = positions.together([found, behind(found, facts["beside"], source, facts["captures"])])
    teacher = Teacher(facts["teacher"], facts["nodes"])
    try:
        said = teacher.scores(found.boards, found.sides)
    finally:
        teacher.end()
    by = stretch(said[: len(own)], own)
    found, said = positions.some(found, np.isfinite(said)), said[np.isfinite(said)]
    scores = np.clip(np.rint(said * by), -HIGHEST, HIGHEST).astype(np.int16)
    labelled = thinned(dataclasses.replace(found, scores=scores), facts["lopsided"], source)
    positions.write(Path(unit.draft), labelled)
    return {"positions": len(labelled), "stretch": by * len(labelled), "seconds": time.monotonic() - begun}


def thinned(found: LabelledPositions, share: float, source: random.Random) -> LabelledPositions:
    """All positions but those that are won anyway, and that share (0 to 1) of these."""
    if share >= 1:
        return found
    is_kept = [abs(score) < LOPSIDED or source.random() < share for score in found.scores.tolist()]
    return positions.some(found, np.array(is_kept, np.bool_))


def stretch(said: NDArray[np.float64], own: NDArray[np.int16]) -> float:
    """By how much a teacher's centipawns are multiplied to be as large as those of the own searches, by the medians of
    both (0.25 to 4): the pruning of a search counts in them. said, own: n, of the same positions; NaN: none."""
    is_said = np.isfinite(said)
    if not is_said.any():
        return 1.0
    return float(np.clip(np.median(np.abs(own[is_said])) / max(np.median(np.abs(said[is_said])), 1), *STRETCHES))


def behind(found: LabelledPositions, count: int, source: random.Random, captures: float = 0) -> LabelledPositions:
    """Positions a random move behind those, so many for each, but for ends of the game and checks: without a score, and
    without a result, since the game went another way. captures: in that share of them (0 to 1) the moves are captures
    and promotions, where there are any."""
    kept = Collector()
    rows = zip(map(bytes, squares_of(found.boards)), found.sides.tolist(), found.games.tolist(), strict=True)
    for squares, side, game in rows:
        state = state_from_fen(fen(squares, side))
        moves = state.legal_moves()
        if captures and source.random() < captures:
            moves = [move for move in moves if not is_quiet(state, move)] or moves
        for move in source.sample(moves, min(count, len(moves))):
            after = state.copy()
            after.play(move)
            if not (after.is_check or after.is_terminal()):
                kept.add(after.pieces(), after.to_move, 0, UNKNOWN, after.halfmove, game)
    return kept.positions()


class Teacher:
    """A UCI engine that is asked about single positions: to search so many nodes or, for 0, to evaluate by Stockfish's
    command `eval`, which is none of UCI's. Raises TeacherError."""

    def __init__(self, command: Sequence[str], nodes: int) -> None:
        self._name, self._nodes = Path(command[0]).name, nodes
        try:
            self._engine = BlockingProcess(Launch(command), Hearing(), kept=KEPT)
        except CannotStart as error:
            raise TeacherError(f"the teacher cannot start: {error}") from None
        try:
            self._ask("uci", "uciok", START_SECONDS)
            self._ask("isready", "readyok", START_SECONDS)
        except TeacherError:
            self._engine.kill()
            raise

    def scores(self, boards: NDArray[np.uint8], sides: NDArray[np.uint8]) -> NDArray[np.float64]:
        """n, centipawns for the side to move, of n x 32 boards (`LabelledPositions`); NaN where the engine evaluates
        nothing, since the side to move is in check."""
        rows, score = map(bytes, squares_of(boards)), self._searched if self._nodes else self._evaluated
        return np.array([score(fen(*one)) for one in zip(rows, sides.tolist(), strict=True)], np.float64)

    def end(self) -> None:
        """Let it leave, with all that it started."""
        if self._engine.write(b"quit\n", QUIT_SECONDS):
            self._engine.wait(QUIT_SECONDS)
        self._engine.kill()

    # -- inside -------------------------------------------------------------------------------------------

    def _evaluated(self, position: str) -> float:
        line = self._ask(f"position fen {position}\neval", EVALUATED, ANSWER_SECONDS)[-1]
        value = line[len(EVALUATED) :].strip(" :").split(" ")[0]
        if value == "none":
            return math.nan
        try:
            return 100 * float(value) * (1 if " w " in position else -1)
        except ValueError:
            raise TeacherError(f"the teacher {self._name} tells no evaluation of {position}") from None

    def _searched(self, position: str) -> float:
        lines = self._ask(f"position fen {position}\ngo nodes {self._nodes}", "bestmove", ANSWER_SECONDS)
        for line in reversed(lines):
            words = line.split()
            if "score" in words[:-2]:
                kind, value = words[words.index("score") + 1 :][:2]
                try:
                    number = int(value)
                except ValueError:
                    continue
                return max(-HIGHEST, min(HIGHEST, number)) if kind == "cp" else MATE if number > 0 else -MATE
        raise TeacherError(f"the teacher {self._name} tells no score of {position}")

    def _ask(self, text: str, last: str, seconds: float) -> list[str]:
        """Lines up to one that begins with `last`."""
        if not self._engine.write(f"{text}\n".encode(), seconds):
            raise TeacherError(f"the teacher {self._name} does not read")
        lines, outcome = self._engine.read(lambda line: line.startswith(last), seconds)
        if outcome != "ok":
            said = "ended" if outcome == "end" else f"said no {last} in {seconds:g} s"
            raise TeacherError(f"the teacher {self._name} {said}, asked '{text.splitlines()[0]}'")
        return lines


def fen(squares: bytes, side: int) -> str:
    """A position without castling rights. squares: 64 pieces, a1 first; side: who moves, 0 White."""
    return f"{board_of(squares)} {'wb'[side]} - - 0 1"
