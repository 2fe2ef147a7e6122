"""Reversi by patterns: games of alpha-beta, and a run that learns from them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("torch")

from fakes_of_watching import Silent  # noqa: E402

from tengen.engine._core import ReversiState, StopToken, reversi_solve  # noqa: E402
from tengen.engine.evaluators.backends.cards import card_path, read_card  # noqa: E402
from tengen.engine.games import get_game  # noqa: E402
from tengen.engine.limits import Limits  # noqa: E402
from tengen.engine.search import make_search  # noqa: E402
from tengen.engine.search.base import Root  # noqa: E402
from tengen.tools import cli  # noqa: E402
from tengen.tools.executors.local import Here  # noqa: E402
from tengen.tools.train.play import lookahead  # noqa: E402
from tengen.tools.train.play.work import work  # noqa: E402
from tengen.tools.train.run.cycle import Loop  # noqa: E402
from tengen.tools.train.run.learn import TorchLearning  # noqa: E402
from tengen.tools.train.run.runs import look, opened  # noqa: E402
from tengen.tools.train.settings.config import RunConfig, merge  # noqa: E402
from tengen.tools.train.settings.preset import preset  # noqa: E402

TINY: dict[str, Any] = {
    "search.depth": 2, "search.exact": 8, "search.opening_least": 10, "search.opening_most": 20, "search.branches": 0, "search.noise": 0.0, "selfplay.unit_games": 4, "window.least": 40,
    "window.held_out": 0.3, "cycle.positions": 800, "cycle.reuse": 4, "cycle.generations": 2, "training.batch": 64,
    "gate.games": 16, "gate.lot": 8, "gate.visits": 300, "anchor.games": 2, "anchor.playouts": 10, "anchor.visits": 300,
}  # fmt: skip


def config() -> RunConfig:
    return merge(preset("reversi-8-patterns"), TINY)


def test_games_repeat_and_are_labelled() -> None:
    """From random openings on every position but a forced pass has what the search found; near the end that is exact."""
    games = list(lookahead.play(config(), None, 6, 3))
    for game, again in zip(games, lookahead.play(config(), None, 6, 3), strict=True):
        assert np.array_equal(game.moves, again.moves) and np.array_equal(game.values, again.values, equal_nan=True)
    assert len({game.moves.tobytes() for game in games}) == 6 and len({game.first for game in games}) > 1
    for game in games:
        assert 10 <= game.first <= 20 and not game.weights[: game.first].any()
        state, solved = ReversiState(), 0
        for ply, move in enumerate(game.moves.tolist()):
            is_pass = state.legal_moves() == [state.pass_move]
            assert (game.weights[ply] == 1) == (ply >= game.first and not is_pass) == np.isfinite(game.values[ply, 2])
            if game.weights[ply] and bytes(state.stones()).count(0) <= 8:
                assert game.values[ply, 2] == reversi_solve(state)
                solved += 1
            state.play(move)
        assert solved > 3 and state.is_terminal() and game.margin == state.result()


def test_noise_is_a_share_of_random_moves() -> None:
    """What was found of a position is told all the same: near the end more than what was played is worth, or as much."""
    left = solved = 0
    for game in lookahead.play(merge(config(), {"search.noise": 0.5}), None, 8, 3):
        state = ReversiState()
        for ply, move in enumerate(game.moves.tolist()):
            after = state.copy()
            after.play(move)
            if game.weights[ply] and bytes(state.stones()).count(0) <= 8:
                worth = reversi_solve(after) * (1 if after.to_move == state.to_move else -1)
                assert game.values[ply, 2] == reversi_solve(state) >= worth
                solved, left = solved + 1, left + (game.values[ply, 2] > worth)
            state = after
    assert solved > 30 and left > 5


def test_branches_leave_a_game_near_its_end() -> None:
    """By one random move, behind which they are games like others."""
    branching = merge(config(), {"search.branches": 3})
    played = list(lookahead.play(branching, None, 5, 4))
    mains = [number for number, game in enumerate(played) if game.first <= 20]
    assert len(mains) == 5 and len(played) > 15
    left = 0
    for number, game in enumerate(played):
        if number in mains:
            main = game
            continue
        moves, others = game.moves.tolist(), main.moves.tolist()
        assert moves[: game.first - 1] == others[: game.first - 1] and not game.weights[: game.first].any()
        state = ReversiState()
        for move in moves[: game.first]:
            state.play(move)
        assert 7 <= bytes(state.stones()).count(0) <= 8 + 6 and game.weights[game.first :].any()
        left += moves[: game.first] != others[: game.first]
        for move in moves[game.first :]:
            state.play(move)
        assert state.is_terminal() and game.margin == state.result()
    assert left > 5


def test_strayed_games_leave_a_game_by_another_move_and_are_broken_off() -> None:
    """Each is the game so far, one random move that was not played, and the best answers to it for some plies."""
    straying = merge(config(), {"search.strayed": 0.5, "search.stray_plies": 3})
    played = list(lookahead.play(straying, None, 3, 4))
    main, strays, broken, moved = played[0], 0, 0, 0
    for game in played:
        moves, others, state = game.moves.tolist(), main.moves.tolist(), ReversiState()
        if not (moves[: game.first - 1] == others[: game.first - 1] and game.first > main.first):
            main, moved = game, moved + len(moves) - game.first
        else:
            strays += 1
            assert moves[game.first - 1] != others[game.first - 1] and len(moves) <= game.first + 3
        for move in moves:
            state.play(move)
        assert state.is_terminal() or len(moves) == game.first + 3 or bytes(state.stones()).count(0) < 8
        if state.is_terminal():
            assert game.margin == state.result()
            continue
        broken += 1
        black = game.values[np.isfinite(game.values[:, 2]), 2][-1] * (1 if len(moves) % 2 else -1)
        assert np.isinf(game.margin) and (game.outcome, game.margin > 0) == (0.5 + 0.5 * np.sign(black), black > 0)
    assert broken > 20 and 0.25 < strays / moved < 0.65


def test_a_run_learns_and_plays(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder, found = tmp_path / "run", config()
    with opened(folder, "tiny", found) as run:
        learning = TorchLearning(found, folder)
        try:
            Loop(run, learning, Here(work), Silent(), lambda: False).sit()
        finally:
            learning.close()
    networks = look(folder).networks
    assert [one.generation for one in networks] == [0, 1, 2] and networks[1].is_taken, "it beats tables of nothing"
    assert networks[2].figures["margin_error"] > 0, "a share of the games is held out"
    out = tmp_path / "mine.safetensors"
    assert cli.main(["export", str(folder), "--title", "mine", "-o", str(out)]) == 0
    assert read_card(card_path(out)).name == "mine" and "generation" in capsys.readouterr().out
    search = make_search(get_game("reversi"), "alphabeta", {"alphabeta.weights": str(out)})
    info = search.run(Root(ReversiState()), Limits(depth=4), StopToken())
    assert info.lines[0].depth == 4 and info.lines[0].move in ReversiState().legal_moves()
