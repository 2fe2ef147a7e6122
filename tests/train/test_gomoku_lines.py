"""A network over Gomoku's lines: games that are searched, files of them, what it sees, rounding, what it learns."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from tengen.engine._core import GomokuState, gomoku_evaluation  # noqa: E402
from tengen.engine.evaluators.backends.cards import card_path, read_card  # noqa: E402
from tengen.engine.evaluators.weights import read_weights  # noqa: E402
from tengen.nets import safetensors  # noqa: E402
from tengen.nets.line_fitting import LineFitting, LineRecipe, Lookup  # noqa: E402
from tengen.nets.line_network import SCORE, LineNetwork, evaluated, export_network  # noqa: E402
from tengen.tools import cli  # noqa: E402
from tengen.tools.train.fitting.lines import positions_of  # noqa: E402
from tengen.tools.train.gomoku import games as searched  # noqa: E402
from tengen.tools.train.gomoku.games import UNKNOWN, UNSEARCHED, WON, Collector, SearchedError, SearchedGames  # noqa: E402
from tengen.tools.train.gomoku.selfplay import SelfPlay, plan_of  # noqa: E402

CARD = {
    "name": "net", "purpose": "a test", "licence": "MIT", "training": {"data": "none", "command": "none"}, "figures": {},
}  # fmt: skip
PLAN = {"nodes": 60, "strayed": 0.5}


def played(count: int, seed: int = 1, rule: str = "freestyle", size: int = 15) -> SearchedGames:
    player = SelfPlay("", size, plan_of({**PLAN, "rule": rule}), seed)
    for _ in range(count):
        player.game()
    return player.kept.games()


@pytest.mark.parametrize(("rule", "size"), [("freestyle", 15), ("renju", 9), ("caro", 20)])
def test_games_are_legal_and_their_scores_belong_to_positions(rule: str, size: int) -> None:
    games, begin = played(4, rule=rule, size=size), 0
    assert games.positions > 40
    for length, result in zip(games.lengths.tolist(), games.results.tolist(), strict=True):
        moves, scores = (column[begin : begin + length].tolist() for column in (games.moves, games.scores))
        begin += length
        state = GomokuState(size, size, rule)
        for move in moves:
            state.play(move)
        assert scores[-1] != UNSEARCHED and scores[0] == UNSEARCHED
        if result == UNKNOWN:
            assert all(score == UNSEARCHED for score in scores[:-1])
        elif abs(scores[-1]) == WON:
            assert result == (1 if (scores[-1] > 0) == (length % 2 == 1) else -1)


def test_games_depend_on_the_seed_alone() -> None:
    first, second, other = played(2), played(2), played(2, seed=2)
    assert first.moves.tolist() == second.moves.tolist() != other.moves.tolist()


def test_files_come_back_and_damaged_ones_are_refused(tmp_path: Path) -> None:
    path, games = tmp_path / "games.npz", played(2)
    searched.write(path, games)
    found = searched.read(path)
    assert found.moves.tolist() == games.moves.tolist() and (found.width, found.rule) == (15, "freestyle")
    assert searched.is_searched(path)
    for wrong in (
        replace(games, moves=games.moves + 300), replace(games, lengths=games.lengths + 1),
        replace(games, results=games.results + 7), replace(games, width=99), replace(games, scores=games.scores[1:]),
    ):  # fmt: skip
        searched.write(path, wrong)
        with pytest.raises(SearchedError):
            searched.read(path)
    path.write_bytes(b"nothing")
    assert not searched.is_searched(path)
    with pytest.raises(SearchedError, match="games.npz"):
        searched.read_named(path)


def test_moves_that_are_illegal_are_refused() -> None:
    kept = Collector(15, 15, "freestyle")
    kept.add([112, 112, 3], [UNSEARCHED, UNSEARCHED, 5], 0)
    with pytest.raises(ValueError, match="illegal"):
        positions_of(kept.games())


@pytest.mark.parametrize("name", ["other", "nodes"])
def test_settings_that_do_not_fit_are_told(name: str) -> None:
    with pytest.raises(ValueError, match=name):
        plan_of({name: "many"})


def trained(seed: int = 1) -> LineNetwork:
    """With weights of every part that are large enough to be told from their rounding."""
    torch.manual_seed(seed)
    net = LineNetwork()
    with torch.no_grad():
        for parameter in (net.pairs, net.rows):
            parameter.uniform_(-0.03, 0.03)
        net.threats.uniform_(-0.3, 0.3)
    return net


def test_whole_numbers_are_what_floats_are_but_for_rounding_and_what_the_core_says(tmp_path: Path) -> None:
    games = played(3)
    positions, net = positions_of(games), trained()
    seen = Lookup(positions).seen(np.arange(len(positions.counts)))
    with torch.no_grad():
        floats = net(seen).numpy() * SCORE
    whole = evaluated(net.arrays(), seen)
    off = np.abs(whole - floats)
    assert np.abs(floats).std() > 5
    assert off.max() < 30 and off.mean() < 8
    path = tmp_path / "net.safetensors"
    export_network({"freestyle": net}, path, CARD)
    assert safetensors.loads(path.read_bytes()).keys() == {f"freestyle.{name}" for name in net.arrays()}
    weights, told, begin = read_weights(path, "gomoku", "network"), list[float](), 0
    for length in games.lengths.tolist():
        every = slice(begin, begin := begin + length)
        for ply in np.flatnonzero(games.scores[every] != UNSEARCHED).tolist():
            moves = games.moves[every][:ply].tolist()
            told.append(gomoku_evaluation(GomokuState(15, 15), moves, weights))
    assert set(whole.tolist()) <= set(told)


def test_the_largest_weights_stay_within_the_core_s_numbers(tmp_path: Path) -> None:
    net = LineNetwork()
    with torch.no_grad():
        for parameter in net.parameters():
            parameter.fill_(1e6)
    export_network({"freestyle": net}, tmp_path / "net.safetensors", CARD)
    weights = read_weights(tmp_path / "net.safetensors", "gomoku", "network")
    assert gomoku_evaluation(GomokuState(25, 25), [], weights) > 0


def test_it_learns() -> None:
    positions = positions_of(played(12))
    fitting = LineFitting(LineNetwork(), positions, LineRecipe(passes=8, batch=64, rise=2))
    lookup = Lookup(positions)
    before, _ = fitting.error(positions, lookup)
    for _ in range(8):
        fitting.learn()
    assert fitting.error(positions, lookup)[0] < 0.7 * before


def test_the_commands_play_learn_and_play_on(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    own, net = tmp_path / "own", tmp_path / "net.safetensors"
    base = ["selfplay", "lines", "--game", "gomoku", "--out", str(own), "--workers", "1", "--set", "search.nodes=20"]
    assert cli.main([*base, "--games", "330"]) == 0
    assert cli.main([*base, "--games", "330"]) == 2
    assert len(list(own.glob("*.npz"))) == 4
    assert cli.main(["train", "fit", str(own), "-o", str(net), "--passes", "1", "--results", "0.5"]) == 0
    assert cli.main(["train", "fit", str(own), "-o", str(net), "--width", "64"]) == 2
    more = ["selfplay", str(net), "--games", "2", "--out", str(tmp_path / "next"), "--set", "search.nodes=20"]
    assert cli.main([*more, "--workers", "1", "--size", "9"]) == 0
    assert cli.main([*more, "--set", "selfplay.workers=3"]) == 2
    assert searched.read(next((tmp_path / "next").glob("*.npz"))).width == 9


def test_a_fit_keeps_the_networks_of_other_rules(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    own, before, after = tmp_path / "own", tmp_path / "before.safetensors", tmp_path / "after.safetensors"
    base = ["selfplay", "lines", "--game", "gomoku", "--out", str(own), "--workers", "1", "--games", "200"]
    assert cli.main([*base, "--set", "search.nodes=20", "--set", "search.rule=renju"]) == 0
    export_network({"freestyle": LineNetwork(), "renju": LineNetwork()}, before, CARD)
    learn = ["train", "fit", str(own), "-o", str(after), "--passes", "1", "--weights"]
    assert cli.main([*learn, str(before)]) == 0
    old, new = (safetensors.loads(path.read_bytes()) for path in (before, after))
    assert old.keys() == new.keys()
    same = {name for name in old if np.array_equal(old[name], new[name])}
    assert {name for name in old if name.startswith("freestyle.")} <= same
    assert "renju.cells" not in same
    card = read_card(card_path(after))
    assert card.purpose == "plays Gomoku (freestyle, renju)"
    assert "freestyle: as the card of before.safetensors says" in card.data
    capsys.readouterr()
    assert cli.main([*learn, str(tmp_path / "none.safetensors")]) == 2
    assert "none.safetensors" in capsys.readouterr().err
