"""Players by a network that is an ONNX file with a card, in every game that networks play."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import go_players
import networks
import numpy as np
import pytest
from checkout import needs_openvino
from go_endings import SETTLED
from onnx_files import write_player

from tengen.engine._core import StopToken, feature_sets
from tengen.engine.config import Config
from tengen.engine.evaluators import background, network
from tengen.engine.evaluators.backends.base import NetworkError
from tengen.engine.evaluators.network import NetworkEvaluator, load_evaluator
from tengen.engine.evaluators.outline import Outline, outline_of
from tengen.engine.games import get_game
from tengen.engine.games.go.passing import PassRule
from tengen.engine.history import History
from tengen.engine.info import Info
from tengen.engine.limits import Limits
from tengen.engine.play.networks import check_named
from tengen.engine.play.player import Player
from tengen.engine.play.request import MoveRequest
from tengen.engine.search import make_search
from tengen.engine.search.base import EARLIER, RECENT, Root, Search
from tengen.engine.search.katago_facts import new_tree

needs_openvino()

SIZES = {"go": 9, "gomoku": 10, "reversi": 8}
ALL = [(features.game, features.name) for features in feature_sets() if features.game in SIZES and not features.globals]


def made(game: str, features: str, player: str = "puct", **options: Any) -> Search:
    """A repeatable search with the tiny network of a feature set."""
    named = {"network": str(networks.onnx(game, features)), **options}
    return make_search(get_game(game), player, {f"{player}.{name}": value for name, value in named.items()})


def game_of(name: str, plies: int = 11, seed: int = 5) -> History:
    """A random game under way."""
    game, rng = get_game(name), random.Random(seed)
    history = History(game.new_state(SIZES[name], SIZES[name], game.default_rules, game.default_komi))
    for _ in range(plies):
        history.play(history.state.to_move, rng.choice(history.state.legal_moves()), game.default_rules.repetition)
    return history


def root_of(history: History) -> Root:
    return Root(history.state, history.seen("none"), history.recent(RECENT), earlier=history.earlier(EARLIER))


def run(search: Search, root: Root, **limits: Any) -> Info:
    return search.run(root, Limits(**limits), StopToken())


# What the network sees and says


def test_every_set_gets_as_much_of_the_past_as_it_sees() -> None:
    for features in feature_sets():
        assert features.earlier <= EARLIER and features.recent <= RECENT


@pytest.mark.parametrize(("game", "features"), ALL)
def test_the_root_is_what_the_network_says_of_the_game(game: str, features: str) -> None:
    """Its priors are the network's shares of the legal moves, its value the network's: of the position with its past."""
    history = game_of(game)
    state: Any = history.state
    info = run(made(game, features, symmetries=False), root_of(history), visits=1)
    planes = state.planes(features, history.recent(RECENT), [], history.earlier(EARLIER))
    evaluator = load_evaluator(networks.onnx(game, features), game, threads=1)
    answer = evaluator.submit(planes[None]).wait()
    evaluator.close()
    shares = np.exp(answer.policies[0] - answer.policies[0].max())
    # Go's search leaves the pass and own eyes out while the game is young.
    moves = [line.move for line in info.lines]
    wanted = shares[moves] / shares[moves].sum()
    assert moves and set(moves) <= set(state.legal_moves())
    np.testing.assert_allclose([line.prior for line in info.lines], wanted, rtol=1e-3)
    assert info.expected == pytest.approx(float(answer.values[0, 0] + answer.values[0, 1] / 2), abs=1e-4)


@pytest.mark.parametrize("game", SIZES)
def test_a_live_game_shows_its_past(game: str) -> None:
    """All planes of the set with the longest past, as the network gets them from a player that plays a game."""
    features = max((f for f in feature_sets() if f.game == game and not f.globals), key=lambda f: f.earlier)
    path, history = networks.onnx(game, features.name), game_of(game, 24)
    live = Player(Config(game=game, net=str(path), playouts=1, threads=1, seed=3, set={"puct.symmetries": False}))
    live.new_game(SIZES[game])
    for colour, move in history.moves:
        live.play(colour, move)
    asked: list[Any] = []
    loaded = background.loading_of(str(path), threads=1).get().evaluator
    assert isinstance(loaded, NetworkEvaluator)
    submit = loaded.submit

    def noting(planes: Any, *words: Any, **terms: Any) -> Any:
        asked.append(planes[0].copy())
        return submit(planes, *words, **terms)

    loaded.submit = noting  # type: ignore[method-assign]
    try:
        live.genmove(MoveRequest(history.state.to_move, play=False))
    finally:
        loaded.submit = submit  # type: ignore[method-assign]
        live.close()
    state: Any = history.state
    wanted = state.planes(features.name, history.recent(RECENT), [], history.earlier(EARLIER))
    np.testing.assert_array_equal(asked[-1], wanted)
    assert len(history.moves) > features.earlier


@pytest.mark.parametrize(
    ("game", "features"),
    [pytest.param(*one, marks=[] if one in networks.FIRST.items() else [pytest.mark.slow]) for one in ALL],
)
def test_a_seed_repeats_and_limits_are_kept(game: str, features: str) -> None:
    """Through symmetries too."""
    root = root_of(game_of(game))
    found = [run(made(game, features, seed=7), root, visits=33) for _ in range(2)]
    assert [info.visits for info in found] == [33, 33]
    lines = [[(line.move, line.visits, line.win) for line in info.lines] for info in found]
    assert lines[0] == lines[1] and {line.move for line in found[0].lines} <= set(root.state.legal_moves())


@pytest.mark.parametrize("features", ["gomoku-v1", "alphazero-gomoku-v1"])
def test_a_won_game_is_seen(features: str) -> None:
    """Whatever the network thinks: Black wins on the next move, and the search proves it."""
    history = History(get_game("gomoku").new_state(10, 10, get_game("gomoku").default_rules, 0))
    for move in (33, 0, 34, 2, 35, 4, 36, 6):
        history.play(history.state.to_move, move, "none")
    info = run(made("gomoku", features, seed=1), root_of(history), visits=400)
    assert info.lines[0].move in (32, 37) and info.lines[0].proof is not None and info.lines[0].proof.result == 1


@pytest.mark.parametrize("game", SIZES)
def test_points_count_only_where_the_network_says_any(game: str) -> None:
    """What share of a score is searched for makes no difference to one that says none."""
    root, features = root_of(game_of(game)), networks.FIRST[game]
    found = [run(made(game, features, seed=7, score_utility=share), root, visits=200) for share in (0.0, 0.5)]
    one, other = ([(line.move, line.visits, line.win) for line in info.lines] for info in found)
    assert one == other


# What does not fit

MISFITS = [
    ("gomoku", "puct", ("reversi", "reversi-v1"), "the network 'x.onnx' plays reversi, not gomoku"),
    ("go", "puct", ("gomoku", "gomoku-v1"), "the network 'x.onnx' plays gomoku, not go"),
    (
        "gomoku",
        "alphazero-gomoku",
        ("gomoku", "gomoku-v1"),
        "the network 'x.onnx' sees gomoku-v1; the player 'alphazero-gomoku' takes networks of alphazero-gomoku-v1",
    ),
    (
        "go",
        "clevergo",
        ("go", "go-v1"),
        "the network 'x.onnx' sees go-v1; the player 'clevergo' takes networks of clevergo-v1",
    ),
]


@pytest.mark.parametrize(("game", "player", "plays", "sentence"), MISFITS)
def test_a_network_of_something_else(
    tmp_path: Path, game: str, player: str, plays: tuple[str, str], sentence: str
) -> None:
    """Told before anything is loaded: when the command looks at it, and when a player's own option names it."""
    path = write_player(tmp_path, *plays, name="x")
    with pytest.raises(NetworkError, match=sentence):
        check_named(Config(game=game, player=player, net=str(path)))
    with pytest.raises(NetworkError, match=sentence):
        make_search(get_game(game), player, {"puct.network": str(path)})


def test_the_family_of_a_feature_set_fits() -> None:
    for features in ("clevergo-v1", "clevergo-v1-merged", "clevergo-v1-8-merged-nolast"):
        check_named(Config(player="clevergo", net=str(networks.onnx("go", features))))


def test_files_that_tell_nothing(tmp_path: Path) -> None:
    path = write_player(tmp_path, "gomoku", "gomoku-v1", name="x")
    assert outline_of(path) == Outline("x.onnx", "gomoku", "gomoku-v1")
    assert outline_of(write_player(tmp_path, "go", "go-v1", "sized", 9, 7)) == Outline(
        "sized.onnx", "go", "go-v1", 9, 7
    )
    with pytest.raises(NetworkError, match=r"cannot read the network 'none\.onnx'"):
        outline_of(tmp_path / "none.onnx")
    card = path.with_suffix(".toml")
    told = card.read_text()
    card.write_text(told.replace('gomoku-v1"\n', 'gomoku-v9"\n'))
    with pytest.raises(
        NetworkError, match="no feature set 'gomoku-v9' of 'gomoku'; there is gomoku-v1, alphazero-gomoku-v1"
    ):
        outline_of(path)
    card.write_text(told[: told.index("[plays]")])
    with pytest.raises(NetworkError, match="plays no game: its card names no features"):
        outline_of(path)
    card.unlink()
    with pytest.raises(NetworkError, match=r"has no card: 'x\.toml' is missing"):
        outline_of(path)


@pytest.mark.parametrize("player", ["puct", "alphazero-gomoku"])
def test_a_board_that_the_network_is_not_for(tmp_path: Path, player: str) -> None:
    """The game's default player plays there, and it is told; on its own board the network plays."""
    path = write_player(tmp_path, "gomoku", "alphazero-gomoku-v1", "az", 8, 8)
    live = Player(Config(game="gomoku", player=player, net=str(path), playouts=30, threads=1, seed=3))
    for size, notice, who in (
        (15, "the network 'az.onnx' is for boards of 8x8, not 15x15; alphabeta plays", "alphabeta"),
        (8, "", player),
    ):
        live.new_game(size)
        decision = live.genmove(MoveRequest(0))
        assert (decision.notice, live.plays) == (notice, who) and decision.move is not None
    live.close()


# Who plays


@pytest.mark.parametrize(("game", "player"), [("gomoku", "alphazero-gomoku"), ("go", "clevergo")])
def test_the_classic_players_search_as_their_programs(game: str, player: str) -> None:
    """400 playouts one by one, a constant of 5 on values from -1 to 1, nothing below the parent for what is new."""
    search = make_search(get_game(game), player, {})
    options = {option.name: option.default for option in search.options()}
    assert (options["puct.c"], options["puct.c_log"], options["puct.batch"], options["puct.in_flight"]) == (
        2.5,
        0,
        1,
        1,
    )
    assert not options["puct.fpu_reduction"] and not options["puct.root_fpu_reduction"] and not options["puct.lcb"]
    config = Config(game=game, player=player, net=str(networks.onnx(game, f"{player}-v1")), threads=1, seed=3)
    live = Player(config)
    live.new_game(9)
    decision = live.genmove(MoveRequest(0))
    live.close()
    assert decision.info.playouts == 400
    assert decision.move == max(decision.info.lines, key=lambda line: line.visits).move


@pytest.mark.parametrize("game", SIZES)
def test_who_stands_in_while_the_network_loads(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The game's default player, in time; then the network."""
    gate, load = threading.Event(), network.load_onnx

    def slow(*words: Any, **terms: Any) -> Any:
        assert gate.wait(60)
        return load(*words, **terms)

    monkeypatch.setattr(network, "load_onnx", slow)
    monkeypatch.setattr(background, "_kept", {})
    features = networks.FIRST[game]
    live = Player(Config(game=game, net=str(networks.onnx(game, features)), time=0.3, threads=1, seed=3))
    live.new_game(SIZES[game])
    started = time.monotonic()
    first = live.genmove(MoveRequest(0, play=False))
    took = time.monotonic() - started
    gate.set()
    background.loading_of(str(networks.onnx(game, features)), threads=1).get()
    deadline = time.monotonic() + 20
    guided = live.genmove(MoveRequest(0, play=False))
    while not live._searches.is_guided and time.monotonic() < deadline:  # the board is tried too
        guided = live.genmove(MoveRequest(0, play=False))
    assert first.move is not None and took < 0.3 + 0.5, "the machine may be busy"
    assert live._searches.is_guided and guided.move is not None
    live.close()


# The end of a game of Go, of which such a network says nothing


@pytest.mark.parametrize("player", ["puct", "clevergo", "policy", "value"])
@pytest.mark.parametrize(("komi", "passed", "rule"), [(5, True, PassRule.ENDS_WON), (8, False, PassRule.STAYS_LOST)])
def test_a_settled_game_is_passed_by_who_plays_without_a_network(
    player: str, komi: float, passed: bool, rule: PassRule
) -> None:
    net = str(networks.onnx("go", "clevergo-v1"))
    live = go_players.at(SETTLED, 0, komi, passed, net=net, player=player, playouts=60, rules="tromp-taylor")
    decision = live.genmove(MoveRequest(0, play=False))
    assert (decision.move, decision.info.note) == (live.state.pass_move, rule.value)
    assert live.final_status().score == 7 - komi
    live.close()


# The core's trees


@pytest.mark.parametrize("game", SIZES)
def test_a_tree_sees_by_sets_of_its_game_alone(game: str) -> None:
    """The first is what it begins with; another one forgets the tree, which nobody can deliver to any more."""
    names = [name for which, name in ALL if which == game]
    tree = new_tree(game, names[-1])
    assert tree.features.name == names[-1] and new_tree(game).features.game == game
    other = "reversi-v1" if game != "reversi" else "go-v1"
    with pytest.raises(ValueError, match="unknown feature set"):
        tree.see_by(other)
    state = game_of(game, 2).state
    tree.begin(state, visits=9)
    shape = (1, len(tree.features.planes), state.height, state.width)
    assert tree.collect(np.empty(shape, np.float32), np.empty((1, 0), np.float32)) == 1
    if len(names) > 1:
        tree.see_by(names[0])
        with pytest.raises(RuntimeError, match="no search was begun"):
            _ = tree.visits
        assert tree.features.name == names[0]


def test_what_kata_go_is_told_others_are_not() -> None:
    """A tree by another set has no use for it."""
    loaded = load_evaluator(networks.onnx("go", "go-v1"), "go", threads=1)
    told: Mapping[str, bool] = loaded.told
    loaded.close()
    assert told == {} and loaded.name == "go-v1"
