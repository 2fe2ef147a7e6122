"""Rows as batches: what a network sees and should say, through symmetries, and that a run goes on where it was."""

from __future__ import annotations

import json
import time
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest
from played_games import V7, moves_of, record, searched

from tengen.engine._core import FeatureSet, feature_sets
from tengen.engine.games import GAMES, get_game
from tengen.engine.games.go.game import GO
from tengen.engine.games.go.rules import parse_rules
from tengen.engine.games.hooks import hooks_of
from tengen.engine.history import History
from tengen.engine.play.go import katago_inputs
from tengen.tools.train.data import shards
from tengen.tools.train.data.game import PlayedGame
from tengen.tools.train.data.games import together
from tengen.tools.train.data.rows import Batch, Drawing, Rows, View, augmented, encode, every
from tengen.tools.train.data.window import Picks, Window, WindowPlan

VIEW = View(V7)
OWNERS = np.arange(81).reshape(9, 9).astype(np.int8) % 3 - 1


def picks_of(games: list[PlayedGame], plies: list[int]) -> Picks:
    """One position of each game."""
    return Picks(together(games), np.arange(len(games)), np.array(plies))


def one(game: PlayedGame, ply: int, symmetry: int = 0, has_history: bool = True, view: View = VIEW) -> Batch:
    """The row of a game, without its axis of rows."""
    batch = encode(view, picks_of([game], [ply]), np.array([symmetry], np.int32), np.array([has_history]))
    return Batch(*(None if array is None else array[0] for array in batch))  # type: ignore[arg-type]


def test_the_inputs_are_those_of_a_game_that_is_played() -> None:
    """As `engine/play/go/katago_inputs.py` has them, by the rules that the game names, handicap passes and all."""
    for rules in ("chinese", "japanese", "aga", "tromp-taylor"):
        game = searched(7, plies=50, rules=rules)
        known, _ = parse_rules(rules)
        history = History(GO.new_state(9, 9, known, game.komi))
        for ply, move in enumerate(game.moves.tolist()):
            planes, numbers = katago_inputs.encode(
                history, known, symmetry=ply % 8, facts=katago_inputs.Facts(suicide_in_life=True)
            )
            row = one(game, ply, ply % 8, view=View(V7, suicide_in_life=True))
            np.testing.assert_array_equal(row.planes, planes)
            np.testing.assert_array_equal(row.numbers, numbers)
            history.play(history.state.to_move, move, known.repetition)


def test_targets_of_a_searched_game() -> None:
    """Before Black's move 0 and White's move 1: 0.25 and 0.75 were wanted, then nothing was said, so the move counts."""
    game = record(
        [10, 20, 30], weights=np.array([1, 1, 0], np.float32), margin=-3.5, outcome=0.0, owners=OWNERS,
        values=np.array([[0.5, 0.125, 4], [np.nan] * 3, [0.25, 0, -2]], np.float32),
        target_offsets=np.array([0, 2, 2, 3], np.int32), target_moves=np.array([10, 81, 33], np.int16),
        target_shares=np.array([0.25, 0.75, 1], np.float32),
    )  # fmt: skip
    black, white, last = (one(game, ply) for ply in range(3))
    assert {int(at): float(black.policy[at]) for at in np.flatnonzero(black.policy)} == {10: 0.25, 81: 0.75}
    assert np.flatnonzero(black.next_policy).tolist() == [20] == np.flatnonzero(white.policy).tolist()
    assert np.flatnonzero(white.next_policy).tolist() == [33] == np.flatnonzero(last.policy).tolist()
    assert not last.next_policy.any()
    assert [row.value.tolist() for row in (black, white)] == [[0, 0, 1], [1, 0, 0]]
    assert black.found.tolist() == [0.5, 0.125, 0.375] and np.isnan(white.found).all()
    assert (float(black.score), float(white.score)) == (-3.5, 3.5)
    assert (float(black.found_score), float(last.found_score)) == (4, -2) and np.isnan(white.found_score)
    np.testing.assert_array_equal(black.owners, OWNERS)
    np.testing.assert_array_equal(white.owners, -OWNERS)


@pytest.mark.parametrize(
    ("outcome", "ply", "value"),
    [
        (1.0, 0, [1, 0, 0]),
        (1.0, 1, [0, 0, 1]),
        (0.5, 0, [0, 1, 0]),
        (0.5, 1, [0, 1, 0]),
        (0.0, 0, [0, 0, 1]),
        (0.0, 1, [1, 0, 0]),
    ],
)
def test_outcomes(outcome: float, ply: int, value: list[int]) -> None:
    assert one(record([10, 20], outcome=outcome), ply).value.tolist() == value


def test_what_nobody_knows_is_nan() -> None:
    row = one(record([10, 20], margin=np.inf), 1)
    assert (
        np.isnan(row.score) and np.isnan(row.owners).all() and np.isnan(row.found).all() and np.isnan(row.found_score)
    )
    assert not np.isnan(row.planes).any() and row.policy.sum() == 1


@pytest.mark.parametrize("size", [(9, 9), (7, 9), (19, 19)])
def test_a_turned_game_makes_the_turned_row(size: tuple[int, int]) -> None:
    """The row of a game through a symmetry is the row of the game that is played on the turned board."""
    game = searched(11, size=size, plies=40)
    assert game.owners is not None
    for symmetry in range(V7.symmetries(*size)):
        turn = np.array([V7.policy_index(move, *size, symmetry) for move in range(size[0] * size[1] + 1)])
        owners = np.empty(size[0] * size[1], np.int8)
        owners[turn[:-1]] = game.owners.ravel()
        turned = replace(
            game, moves=turn[game.moves].astype(np.int16), target_moves=turn[game.target_moves].astype(np.int16),
            owners=owners.reshape(game.owners.shape),
        )  # fmt: skip
        for ply in (0, 7, 38, 39):
            for mine, theirs in zip(one(game, ply, symmetry), one(turned, ply), strict=True):
                np.testing.assert_array_equal(mine, theirs)


def test_a_row_without_history_sees_the_position_alone() -> None:
    game = searched(5, plies=30)
    told, alone = one(game, 30 - 1), one(game, 30 - 1, has_history=False)
    recent = [V7.planes.index(f"recent_{number}") for number in range(1, 6)]
    assert told.planes[recent].sum() == 5 and alone.planes[recent].sum() == 0
    np.testing.assert_array_equal(told.planes[:6], alone.planes[:6])
    np.testing.assert_array_equal(told.policy, alone.policy)


def test_the_eight_of_a_row() -> None:
    """What the preset `classic` learns from: every row that counts through every symmetry, side by side."""
    game = searched(8, plies=12)
    batch = augmented(VIEW, [game])
    plies = np.flatnonzero(game.weights).tolist()
    assert len(batch.planes) == 8 * len(plies) > 0
    for i, ply in enumerate(plies):
        for symmetry in range(8):
            alone = one(game, ply, symmetry)._asdict()
            for name in (name for name in batch._fields if name not in ("weight", "labels")):
                np.testing.assert_array_equal(getattr(batch, name)[8 * i + symmetry], alone[name])
            assert batch.weight[8 * i + symmetry] == game.weights[ply] > 0


def test_every_row_once() -> None:
    games = [searched(1), searched(2, size=(5, 5), plies=10), searched(3)]
    batches = list(every(VIEW, games, 16))
    assert sum(len(batch.weight) for batch in batches) == sum(np.count_nonzero(game.weights) for game in games)
    assert all(len(batch.weight) <= 16 for batch in batches)
    weights = sorted(float(weight) for batch in batches for weight in batch.weight)
    assert weights == sorted(float(weight) for game in games for weight in game.weights if weight)
    assert {batch.planes.shape[2:] for batch in batches} == {(5, 5), (9, 9)}
    assert batches[0].planes.shape[2:] == (9, 9)  # the first that is full
    last = int(np.flatnonzero(games[2].weights)[-1])
    np.testing.assert_array_equal(batches[-1].planes[-1], one(games[2], last).planes)
    assert not list(every(VIEW, [], 16))


OTHERS = [features for features in feature_sets() if features.game in GAMES and not features.globals]


@pytest.mark.parametrize("features", OTHERS, ids=lambda features: features.name)
def test_rows_of_every_other_set(features: FeatureSet) -> None:
    """What the position's own `planes` says when it is told of the game."""
    size, rules = {"go": ((9, 9), "aga"), "gomoku": ((15, 15), "renju"), "reversi": ((8, 8), "standard")}[features.game]
    moves = moves_of(features.game, *size, rules, 40, seed=6)
    game = record(moves, game=features.game, size=size, rules=rules)
    history = History(
        get_game(features.game).new_state(
            *size, hooks_of(get_game(features.game)).parse_rules(get_game(features.game), rules), game.komi
        )
    )
    for ply, move in enumerate(moves):
        if ply % 6 in (0, 1) or ply == len(moves) - 1:
            for symmetry in (0, ply % features.symmetries(*size)):
                row = one(game, ply, symmetry, view=View(features))
                told = history.recent(features.recent), [], history.earlier(features.earlier)
                wanted = cast(Any, history.state).planes(features.name, *told, symmetry=symmetry)
                np.testing.assert_array_equal(row.planes, wanted)
                assert row.numbers is None and row.policy[features.policy_index(move, *size, symmetry)] == 1
            alone = one(game, ply, has_history=False, view=View(features))
            np.testing.assert_array_equal(alone.planes, cast(Any, history.state).planes(features.name))
        history.play(history.state.to_move, move)


def test_an_illegal_game_of_another_set() -> None:
    gomoku = next(features for features in OTHERS if features.game == "gomoku")
    with pytest.raises(ValueError, match="^game 0: the move at ply 1 is illegal$"):
        one(record([7, 7, 8], game="gomoku", size=(15, 15), rules="freestyle"), 2, view=View(gomoku))


def window_of(path: Path, games: list[list[PlayedGame]]) -> tuple[Window, list[shards.ShardEntry]]:
    entries = [shards.write(path / f"{number}.npz", one) for number, one in enumerate(games)]
    window = Window(WindowPlan(minimum=60, beta=0))
    window.update(path, entries)
    return window, entries


def same(one: Batch, other: Batch) -> bool:
    return all(
        mine is theirs if mine is None else np.array_equal(mine, theirs, equal_nan=True)
        for mine, theirs in zip(cast(Any, one), cast(Any, other), strict=True)
    )


def test_a_run_goes_on_with_the_very_next_batch(tmp_path: Path) -> None:
    """However far ahead batches were made, by one thread or two, and over a change of the window."""
    window, entries = window_of(tmp_path, [[searched(n), searched(n + 20, size=(7, 7))] for n in range(6)])
    drawing = Drawing(size=8, seed=3, ahead=3, without_history=0.5)
    with Rows(window, VIEW, drawing) as rows:
        before = [next(rows) for _ in range(4)]
        state = json.loads(json.dumps(rows.state()))
        after = [next(rows) for _ in range(4)]
        window.update(tmp_path, entries[:3])
        changed = [next(rows) for _ in range(3)]
        later = rows.state()
    assert state["drawn"] == 4 and later["drawn"] == 11 and state["shards"] != later["shards"]
    assert not same(before[0], before[1])
    for threads, ahead in ((1, 0), (2, 5)):
        again = Window(WindowPlan(minimum=60, beta=0))
        again.restore(tmp_path, entries, state["shards"])
        with Rows(again, VIEW, replace(drawing, threads=threads, ahead=ahead)) as rows:
            rows.restore(state)
            assert all(same(batch, next(rows)) for batch in after)
            again.update(tmp_path, entries[:3])
            assert all(same(batch, next(rows)) for batch in changed)
            assert rows.state() == later


def test_a_state_of_another_run_is_refused(tmp_path: Path) -> None:
    window, _ = window_of(tmp_path, [[searched(1)]])
    with Rows(window, VIEW, Drawing(seed=3)) as rows:
        for wrong in ({"seed": 4}, {"shards": ["9.npz"]}):
            with pytest.raises(ValueError, match="another seed or window"):
                rows.restore({**rows.state(), **wrong})


def test_a_share_of_rows_goes_without_history(tmp_path: Path) -> None:
    window, _ = window_of(tmp_path, [[record(list(range(0, 80, 2)), size=(9, 9))]])
    recent = V7.planes.index("recent_1")
    with Rows(window, VIEW, Drawing(size=800, without_history=0.25)) as rows:
        batch = next(rows)
    blind = (batch.planes[:, recent].sum((1, 2)) == 0).mean()
    assert blind == pytest.approx(0.25 + 0.75 / 40, abs=0.05)  # the first move has no history
    assert (batch.weight == 1).all()


def test_rows_come_through_all_symmetries(tmp_path: Path) -> None:
    window, _ = window_of(tmp_path, [[record([1])]])
    with Rows(window, VIEW, Drawing(size=64)) as rows:
        policy = next(rows).policy
    assert set(np.argmax(policy, 1).tolist()) == {V7.policy_index(1, 9, 9, symmetry) for symmetry in range(8)}


def test_illegal_games_are_left_out_with_a_warning(tmp_path: Path) -> None:
    """Nothing else of the batch is lost."""
    bad = record([40, 40, 3, 4], weights=np.array([0, 0, 1, 1], np.float32))
    window, _ = window_of(tmp_path, [[bad, record([1, 2])]])
    told: list[str] = []
    with Rows(window, VIEW, Drawing(size=40, ahead=0), told.append) as rows:
        batch = next(rows)
    assert 0 < len(batch.weight) < 40 and len(batch.weight) + len(told) == 40
    assert set(told) == {"a game of go is not learned from: the move at ply 1 is illegal"}


def test_an_empty_window_says_so() -> None:
    with Rows(Window(), VIEW) as rows, pytest.raises(ValueError, match="the window is empty"):
        next(rows)


@pytest.mark.timing
def test_rows_cost_a_fraction_of_what_is_learned_from_them() -> None:
    """A network of 6 blocks of 64 channels learns from about 1,000 rows of 9x9 a second; 45,000 are encoded (Zen 5)."""
    games = together([searched(seed, plies=60) for seed in range(8)])
    picks = Picks(games, np.arange(8).repeat(60), np.tile(np.arange(60), 8))
    symmetries, has_history = np.arange(480, dtype=np.int32) % 8, np.ones(480, np.bool_)
    encode(VIEW, picks, symmetries, has_history)
    start = time.process_time()
    for _ in range(4):
        encode(VIEW, picks, symmetries, has_history)
    assert 4 * 480 / (time.process_time() - start) > 8000
