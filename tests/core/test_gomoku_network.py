"""The network of Gomoku along a line of play: what is kept up from move to move is what a position alone is worth."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from tengen.engine._core import (
    GomokuAlphaBeta,
    GomokuState,
    StopToken,
    Weights,
    gomoku_evaluation,
    gomoku_line_positions,
)
from tengen.engine.config import Config
from tengen.engine.evaluators import shipped
from tengen.engine.evaluators.backends.cards import read_network
from tengen.engine.evaluators.weights import read_weights
from tengen.engine.games.gomoku.game import OWN_WEIGHTS
from tengen.engine.limits import Limits
from tengen.engine.play.player import Player
from tengen.engine.play.request import MoveRequest
from tengen.nets import safetensors

CARD = {
    "name": "any", "purpose": "a test", "licence": "MIT", "training": {"data": "none", "command": "none"},
    "plays": {"game": "gomoku", "evaluator": "network"},
}  # fmt: skip
ROWS, WIDTH, HIDDEN, SETS = 7260, 32, 32, 16
"""Of the arrays: rows of cells, numbers of a row, units, and sets of threats."""
BOARDS = [(15, 15, "freestyle"), (15, 11, "renju"), (20, 20, "standard"), (25, 25, "caro"), (5, 5, "exact-caro")]


def numbers(rule: str = "freestyle") -> dict[str, NDArray[Any]]:
    """Random ones of every array."""
    dice = np.random.default_rng(7)
    return {
        f"{rule}.cells": dice.integers(-90, 91, (ROWS, 2, WIDTH)).astype(np.int16),
        f"{rule}.hidden": dice.integers(-300, 301, (HIDDEN, 2, WIDTH)).astype(np.int16),
        f"{rule}.hidden_own": dice.integers(-200_000, 200_001, (SETS, HIDDEN)).astype(np.int32),
        f"{rule}.hidden_enemy": dice.integers(-200_000, 200_001, (SETS, HIDDEN)).astype(np.int32),
        f"{rule}.direct": dice.integers(-300, 301, (2, WIDTH)).astype(np.int16),
        f"{rule}.output": dice.integers(-900, 901, HIDDEN).astype(np.int16),
        f"{rule}.threats": dice.integers(-90_000, 90_001, (SETS, SETS)).astype(np.int32),
    }


def written(folder: Path, arrays: dict[str, NDArray[Any]]) -> Weights:
    """A network as the search reads it."""
    path = folder / "any.safetensors"
    safetensors.save(path, arrays, CARD)
    return read_weights(path, "gomoku", "network")


def game(width: int, height: int, rule: str, seed: int) -> tuple[list[int], GomokuState]:
    """Random moves, and the position after them."""
    state, source, moves = GomokuState(width, height, rule), random.Random(seed), list[int]()
    while not state.is_terminal() and len(moves) < 120:
        moves.append(source.choice(state.legal_moves()))
        state.play(moves[-1])
    return moves, state


@pytest.mark.parametrize(("width", "height", "rule"), BOARDS)
def test_sums_are_kept_up_from_move_to_move(tmp_path: Path, width: int, height: int, rule: str) -> None:
    weights, said = written(tmp_path, numbers(rule)), set[float]()
    for seed in range(6):
        moves, state = game(width, height, rule, seed)
        start = GomokuState(width, height, rule)
        for begin in range(0, len(moves), 7):
            here = start.copy()
            for move in moves[:begin]:
                here.play(move)
            alone = gomoku_evaluation(here, [], weights)
            assert gomoku_evaluation(start, moves[:begin], weights) == alone
            said.add(alone)
        assert gomoku_evaluation(start, moves, weights) == gomoku_evaluation(state, [], weights)
    assert len(said) > 10


def test_positions_that_are_turned_are_worth_the_same(tmp_path: Path) -> None:
    weights = written(tmp_path, numbers())
    for seed in range(5):
        moves, _ = game(15, 15, "freestyle", seed)
        moves = moves[:40]
        turned = [15 * (move % 15) + 14 - move // 15 for move in moves]
        start = GomokuState(15, 15)
        assert gomoku_evaluation(start, moves, weights) == gomoku_evaluation(start, turned, weights)


def test_a_rule_that_was_not_learned_is_judged_by_the_tables(tmp_path: Path) -> None:
    weights = written(tmp_path, numbers("renju"))
    for rule in ("renju", "freestyle"):
        moves, _ = game(15, 15, rule, 3)
        start = GomokuState(15, 15, rule)
        is_same = gomoku_evaluation(start, moves[:30], weights) == gomoku_evaluation(start, moves[:30])
        assert is_same == (rule == "freestyle")


def test_a_search_by_it_finds_moves(tmp_path: Path) -> None:
    search = GomokuAlphaBeta("network", written(tmp_path, numbers()))
    search.run(GomokuState(15, 15), playouts=300, stop=StopToken())
    assert search.info().lines[0].pv


def test_what_a_network_sees() -> None:
    indices, facts = gomoku_line_positions(GomokuState(15, 15), [112, 113], [0, 2])
    assert indices.shape == (2, 225, 2) and facts.shape == (2, 4)
    assert (indices[0, 112] == 645).all() and (indices[1, 112:114] == 0).all()
    assert facts[0, :3].tolist() == [0, 0, 1] and facts[1, 3] == gomoku_evaluation(GomokuState(15, 15), [112, 113])
    for moves, plies in (([112, 112], [2]), ([112], [2]), ([112], [1, 0]), ([225], [1])):
        with pytest.raises(ValueError, match=r"illegal|order|board"):
            gomoku_line_positions(GomokuState(15, 15), moves, plies)


LARGE = {
    "cells": np.full((ROWS, 2, WIDTH), 20_000, np.int16),
    "hidden": np.full((HIDDEN, 2, WIDTH), 4000, np.int16),
    "hidden_own": np.full((SETS, HIDDEN), 2_140_000_000, np.int32),
    "direct": np.full((2, WIDTH), 4000, np.int16),
    "threats": np.full((SETS, SETS), 2_147_000_000, np.int32),
    "output": np.zeros(HIDDEN - 1, np.int16),
}


@pytest.mark.parametrize("name", LARGE)
def test_numbers_with_which_a_sum_could_overflow_are_refused(tmp_path: Path, name: str) -> None:
    weights = written(tmp_path, numbers() | {f"freestyle.{name}": LARGE[name]})
    with pytest.raises(ValueError, match=r"too large|i16 of 32"):
        GomokuAlphaBeta("network", weights)


def test_weights_of_no_rule_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="no network of any rule"):
        GomokuAlphaBeta("network", written(tmp_path, {"other.cells": LARGE["output"]}))


def test_the_shipped_network_has_a_card_and_plays() -> None:
    """Taken by `auto`; under a rule that it did not learn the tables evaluate."""
    path = shipped.path_of(OWN_WEIGHTS.shipped)
    assert path.is_file()
    card, _ = read_network(path)
    assert (card.game, card.evaluator, card.licence) == ("gomoku", "network", "MIT")
    assert "tengen train" in card.command and "positions" in card.data and {"matches", "machine"} <= set(card.figures)
    weights, start, moves = read_weights(path, "gomoku", "network"), GomokuState(15, 15), [112, 97, 128, 96, 98]
    assert gomoku_evaluation(start, moves, weights) != gomoku_evaluation(start, moves)
    player = Player(Config(game="gomoku", threads=1, seed=1, set={"alphabeta.weights": "auto"}))
    try:
        assert player.genmove(MoveRequest(0, limits=Limits(playouts=300))).move is not None
    finally:
        player.close()
