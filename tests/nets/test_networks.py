"""Networks that play: their card names a feature set of this build, their file fits it, their answers are complete."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import onnx_files
import pytest
from numpy.typing import NDArray

from tengen.engine.evaluators.backends import NetworkError, load
from tengen.engine.evaluators.backends.cards import Card
from tengen.engine.evaluators.network import NetworkEvaluator, load_evaluator
from tengen.engine.toml import dumps

SIDE = 5
PLANES = 25
MOVES = SIDE * SIDE + 1
PLAYS = '[plays]\ngame = "go"\nfeatures = "go-v1"\n'


def fitting() -> bytes:
    return onnx_files.playing(PLANES, 0, SIDE, MOVES)


def planes(n: int) -> NDArray[np.float32]:
    return np.random.default_rng(n).normal(size=(n, PLANES, SIDE, SIDE)).astype(np.float32)


def test_a_network_that_plays(tmp_path: Path) -> None:
    """Its outputs become logits of moves, probabilities of results and margins."""
    evaluator = load_evaluator(onnx_files.write(tmp_path, model=fitting(), plays=PLAYS), "go", threads=1)
    assert (evaluator.features.name, evaluator.card.game) == ("go-v1", "go")
    first, second = evaluator.submit(planes(3)), evaluator.submit(planes(5))
    late, early = second.wait(), first.wait()
    assert early.policies.shape == (3, MOVES) and late.policies.shape == (5, MOVES)
    np.testing.assert_allclose(late.values.sum(1), 1, atol=1e-6)
    assert late.scores is not None and late.scores.shape == (5,) and late.extras == {}
    (alone,) = evaluator.submit(planes(5)[2:3]).wait().policies
    np.testing.assert_allclose(late.policies[2], alone, atol=1e-4)
    assert (late.values[2] > 0).all() and not np.allclose(late.values[2], late.values[3])
    evaluator.close()
    with pytest.raises(RuntimeError, match="is closed"):
        evaluator.submit(planes(1))


# What the card or the file has instead, and what is said of it.
MISFITS: dict[str, tuple[str, bytes, str]] = {
    "an unknown set": (
        PLAYS.replace("v1", "v9"),
        fitting(),
        "no feature set 'go-v9' of 'go'; there is go-v1, clevergo-v1, katago-v7: take",
    ),
    "another game": (
        PLAYS.replace('"go"', '"reversi"'),
        fitting(),
        "no feature set 'go-v1' of 'reversi'; there is reversi-v1: take",
    ),
    "too few planes": (PLAYS, onnx_files.playing(24, 0, SIDE, MOVES), "takes 'planes' of nx24x5x5; go-v1 of go has 25"),
    "globals": (PLAYS, onnx_files.playing(25, 2, SIDE, MOVES), "takes planes, globals; one of go-v1 takes planes"),
    "other inputs": (PLAYS, onnx_files.network(inputs=("x", "y")), "takes x, y; one of go-v1 takes planes"),
    "no value": (PLAYS, onnx_files.playing(25, 0, SIDE, MOVES, ("policy",)), "plays go but has no output 'value'"),
    "weights": (PLAYS.replace("features", "evaluator"), fitting(), "is one of weights for 'go-v1', not of a network"),
    "nothing": ("[plays]\n", fitting(), "must name either the features or the evaluator"),
    "both": (PLAYS + 'evaluator = "x"\n', fitting(), "must name either the features or the evaluator"),
    "no game": ('[plays]\nfeatures = "go-v1"\n', fitting(), "lacks 'game'"),
    "a game without a name": (PLAYS.replace('"go"', '""'), fitting(), "lacks 'game'"),
    "features without a name": (PLAYS.replace("go-v1", ""), fitting(), "lacks 'features'"),
    "a list": ('[plays]\ngame = "go"\nfeatures = []\n', fitting(), "lacks 'features'"),
}


@pytest.mark.parametrize("name", MISFITS)
def test_networks_that_do_not_fit(tmp_path: Path, name: str) -> None:
    plays, model, sentence = MISFITS[name]
    with pytest.raises(NetworkError, match=sentence) as caught:
        load(onnx_files.write(tmp_path, model=model, plays=plays), threads=1)
    assert "\n" not in str(caught.value)


def test_networks_that_play_something_else(tmp_path: Path) -> None:
    path = onnx_files.write(tmp_path, model=fitting(), plays=PLAYS)
    with pytest.raises(NetworkError, match=r"the network 'tiny.onnx' plays go, not gomoku"):
        load_evaluator(path, "gomoku", threads=1)
    with pytest.raises(NetworkError, match="'tiny' plays no game: its card names no features"):
        load_evaluator(onnx_files.write(tmp_path), "go", threads=1)


def test_the_section_survives_writing(tmp_path: Path) -> None:
    path = onnx_files.write(tmp_path, model=fitting(), plays=PLAYS)
    card = load(path, threads=1).card
    path.with_suffix(".toml").write_text(dumps(card.as_table()), "utf-8")
    assert load(path, threads=1).card == card and card.features == "go-v1"


class Scripted:
    """A back end and a ticket that answer what they were given."""

    inputs = {"planes": (0, PLANES, 0, 0)}
    outputs = ("policy", "value")

    def __init__(self, answers: dict[str, NDArray[np.float32]]) -> None:
        self._answers = answers

    def submit(self, inputs: Any) -> Scripted:
        return self

    def wait(self) -> dict[str, NDArray[np.float32]]:
        return self._answers

    run = wait

    def close(self) -> None:
        pass


def zeros(*shape: int) -> NDArray[np.float32]:
    return np.zeros(shape, np.float32)


GOOD = {"policy": zeros(2, MOVES), "value": zeros(2, 3)}
ANSWERS = [
    ({"policy": zeros(2, MOVES)}, "gave no 'value'"),
    ({"value": zeros(2, 3)}, "gave no 'policy'"),
    ({**GOOD, "policy": zeros(2, MOVES - 1)}, "gave 25 numbers of 'policy' a position, not 26"),
    ({**GOOD, "value": zeros(2, 1)}, "gave 1 numbers of 'value' a position, not 3"),
    ({**GOOD, "score": zeros(2, 2)}, "gave 2 numbers of 'score' a position, not 1"),
    ({**GOOD, "policy": zeros(2, MOVES) + np.float32("nan")}, "gave a 'policy' that is no number"),
    ({**GOOD, "value": zeros(2, 3) + np.float32("inf")}, "gave a 'value' that is no number"),
]


def scripted(answers: dict[str, NDArray[np.float32]]) -> NetworkEvaluator:
    card = Card("net", "", "", "", "", "", game="go", features="go-v1")
    return NetworkEvaluator(card, Scripted(answers))  # type: ignore[arg-type]


@pytest.mark.parametrize(("answers", "sentence"), ANSWERS)
def test_answers_that_lack_something(answers: dict[str, NDArray[np.float32]], sentence: str) -> None:
    with pytest.raises(RuntimeError, match=f"the network 'net' {sentence}"):
        scripted(answers).submit(planes(2)).wait()


def test_answers_as_they_are() -> None:
    """Planes of policy are laid in a row; without a score there is none; all else is an extra."""
    found = scripted({**GOOD, "policy": zeros(2, MOVES, 1), "ownership": zeros(2, SIDE, SIDE)}).submit(planes(2)).wait()
    assert found.policies.shape == (2, MOVES) and found.scores is None and set(found.extras) == {"ownership"}
    np.testing.assert_allclose(found.values, 1 / 3, atol=1e-6)


def test_no_network_tells_more_discs_than_there_are() -> None:
    card = Card("net", "", "", "", "", "", game="reversi", features="reversi-v1")
    answers = {"policy": zeros(2, 64), "value": zeros(2, 3), "score": np.array([[75.5], [-99.0]], np.float32)}
    evaluator = NetworkEvaluator(card, Scripted(answers))  # type: ignore[arg-type]
    board = np.zeros((2, len(evaluator.features.planes), 8, 8), np.float32)
    answers["policy"] = zeros(2, evaluator.features.policy_size(8, 8))
    found = evaluator.submit(board).wait().scores
    assert found is not None and found.dtype == np.float32 and found.tolist() == [64, -64]
    scores = scripted({**GOOD, "score": np.array([[75.5], [-99.0]], np.float32)}).submit(planes(2)).wait().scores
    assert scores is not None and scores.tolist() == [75.5, -99], "of Go with its komi"


def test_inputs_that_the_set_lacks() -> None:
    with pytest.raises(ValueError, match="takes planes alone, n x 25 x h x w"):
        scripted(GOOD).submit(planes(2), zeros(2, 1))
    with pytest.raises(ValueError, match="takes planes alone"):
        scripted(GOOD).submit(planes(2)[0])
