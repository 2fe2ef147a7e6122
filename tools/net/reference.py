"""Compare a network, in each precision, with KataGo's own raw answers of positions (`kata-raw-nn` as JSON).

A file is a list of positions, each with its answer in "out"; or of answers alone, whose positions stand in the file
`raw_nn.json` beside it. Of a position: size, rules, rules_json, komi, moves ([["b", "D4"], ...]), to_play. Of an
answer: policy (rows of points, what is not allowed below 0), policyPass, whiteWin.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from tengen.engine import files
from tengen.engine.evaluators.backends import fast_precisions
from tengen.engine.evaluators.backends.base import NetworkError, Precision
from tengen.engine.evaluators.katago import ROOT_OPTIMISM
from tengen.engine.evaluators.katago.evaluator import KataGoEvaluator
from tengen.engine.evaluators.katago.loading import load_for_play
from tengen.engine.evaluators.network import Evaluation
from tengen.engine.games.go.game import GO
from tengen.engine.games.go.handicap import given
from tengen.engine.games.go.rules import GoRules
from tengen.engine.history import History
from tengen.engine.play.go.katago_inputs import Facts, encode_all
from tengen.engine.sentence import excerpt
from tengen.tools.live import Live

if TYPE_CHECKING:
    from numpy import float64
    from numpy.typing import NDArray

POSITIONS = "raw_nn.json"
LARGEST_FILE = 1 << 26
BATCH = 16
Row = Mapping[str, Any]
BARS: Mapping[Precision, tuple[float, float]] = {"f32": (1e-4, 1e-3), "bf16": (0.005, 0.01), "int8": (0.02, 0.03)}
"""The bounds of the means: divergence of the policy, difference of the win rate."""


class Far(NamedTuple):
    """One position: the Kullback-Leibler divergence, the difference of the win rates, whether the best move is one."""

    policy: float
    win: float
    is_same: bool


class Known(NamedTuple):
    """A position and KataGo's answer."""

    size: int
    game: tuple[History, GoRules]
    said: Row


def check_reference(path: Path, reference: Path, backend: str | None = None) -> int:
    """Print a line for each precision: 1 when one is beyond its bar. Raises NetworkError."""
    import numpy as np

    known = positions(reference)
    is_within = True
    with Live(is_patient=True) as live:
        for precision in fast_precisions(backend):
            live.update(f"comparing {len(known)} answers in {precision}")
            loaded = load_for_play(path, wish=precision, backend=backend, threads=1, is_masked=False, buckets=(BATCH,))
            if loaded.precision != precision:
                live.result(f"--      {loaded.notice}")
                continue
            found = compare(loaded.evaluator, known)
            loaded.evaluator.close()
            policy, win = (float(np.mean([far[column] for far in found])) for column in (0, 1))
            fits = policy <= BARS[precision][0] and win <= BARS[precision][1]
            is_within &= fits
            live.result(f"{'ok' if fits else 'far':8}{precision}: {_words(found, policy, win)}")
    return 0 if is_within else 1


def _words(found: Sequence[Far], policy: float, win: float) -> str:
    most_policy, most_win = (max(far[column] for far in found) for column in (0, 1))
    return (
        f"policy {policy:.5f} (KL, mean; most {most_policy:.4f}), "
        f"win rate {100 * win:.2f} % (most {100 * most_win:.2f} %), "
        f"same best move in {sum(far.is_same for far in found)} of {len(found)}"
    )


def positions(reference: Path) -> list[Known]:
    """Read the positions of the reference file. Raises NetworkError with one sentence for one that holds something
    else."""
    answers = _rows(reference)
    own = all("moves" in row for row in answers)
    asked = answers if own else _rows(reference.with_name(POSITIONS))
    if len(asked) != len(answers):
        raise NetworkError(f"'{reference.name}' has {len(answers)} answers for the {len(asked)} of '{POSITIONS}'")
    try:
        return [
            Known(int(position["size"]), game_of(position), answer.get("out", answer))
            for position, answer in zip(asked, answers, strict=True)
        ]
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise NetworkError(f"'{reference.name}' is no list of positions with KataGo's answers: {error!r}") from None


def rules_of(position: Row) -> GoRules:
    """The rules as KataGo's own JSON names them."""
    said = json.loads(position["rules_json"])
    return GoRules(
        position["rules"],
        ko=said["ko"].lower(),
        scoring=said["scoring"].lower(),
        tax=said["tax"].lower(),
        suicide=said["suicide"],
        white_handicap_bonus=said["whiteHandicapBonus"],
        friendly_pass=said["friendlyPassOk"],
        has_button=said["hasButton"],
    )


def game_of(position: Row) -> tuple[History, GoRules]:
    """The game by its moves, White's bonus for handicap stones that were played in the komi."""
    size, rules = position["size"], rules_of(position)
    empty = GO.new_state(size, size, rules, position["komi"])
    moves = [("bw".index(colour), GO.move_from_text(empty, vertex)) for colour, vertex in position["moves"]]
    history = History(GO.new_state(size, size, rules, position["komi"] + rules.handicap_bonus(given(empty, moves))))
    for colour, move in moves:
        history.play(colour, move, rules.repetition)
    if history.state.to_move != "bw".index(position["to_play"]):
        raise ValueError(f"it is {position['to_play']} to play after other moves")
    return history, rules


def compare(evaluator: KataGoEvaluator, known: Sequence[Known]) -> list[Far]:
    """Position by position."""
    found: dict[int, Far] = {}
    for size in sorted({one.size for one in known}):
        chosen = [at for at, one in enumerate(known) if one.size == size]
        games = [known[at].game for at in chosen]
        planes, numbers = encode_all(games, facts=Facts(suicide_in_life=evaluator.suicide_in_life))
        answer = evaluator.submit(planes, numbers, optimism=ROOT_OPTIMISM).wait()
        for row, at in enumerate(chosen):
            found[at] = _far(known[at], answer, row)
    return [found[at] for at in range(len(known))]


def _far(known: Known, answer: Evaluation, row: int) -> Far:
    import numpy as np

    theirs = np.array([*np.ravel(np.array(known.said["policy"], np.float64)), known.said["policyPass"]])
    legal = np.isfinite(theirs) & (theirs >= 0)
    right, mine = theirs[legal], _shares(answer.policies[row][legal].astype(np.float64))
    right = right / right.sum()
    least = np.finfo(np.float32).tiny
    divergence = float((right * (np.log(right + least) - np.log(mine + least))).sum())
    win, no_result, _ = answer.values[row].tolist()
    white = win if known.game[0].state.to_move == 1 else 1 - win - no_result
    return Far(divergence, abs(white - known.said["whiteWin"]), bool(mine.argmax() == right.argmax()))


def _shares(logits: NDArray[float64]) -> NDArray[float64]:
    import numpy as np

    powers = np.exp(logits - logits.max())
    return np.asarray(powers / powers.sum())


def _rows(path: Path) -> list[Row]:
    try:
        rows = json.loads(files.read(path, LARGEST_FILE))
    except OSError as error:
        raise NetworkError(f"cannot read {excerpt(str(path), 200)}: {files.reason(error)}") from None
    except (ValueError, RecursionError):
        rows = None
    if not isinstance(rows, list) or not rows or not all(isinstance(row, dict) for row in rows):
        raise NetworkError(f"{excerpt(path.name, 100)} is no list of positions with KataGo's answers")
    return rows
