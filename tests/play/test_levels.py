"""Levels: what they bound, whose they are, and that each beats the one below (seeded, therefore repeatable games)."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import networks
import pytest
from checkout import needs_openvino
from go_players import player
from scripted import Scripted, scripted_player
from whole_sets import some_of

from tengen.engine.config import Config, ConfigError
from tengen.engine.games import GAMES, get_game
from tengen.engine.games.go import strength
from tengen.engine.games.go.game import GO
from tengen.engine.games.network_levels import NETWORK, SAMPLING
from tengen.engine.games.players import LEVELS, Level
from tengen.engine.games.players import Entry as PlayerEntry
from tengen.engine.games.reversi.levels import LOOKING_AHEAD
from tengen.engine.info import Info, Line, Proof
from tengen.engine.limits import EVERY, Limits
from tengen.engine.play.choice import choose_line
from tengen.engine.play.levels import level_in_force
from tengen.engine.play.options import options_of
from tengen.engine.play.player import Player
from tengen.engine.play.request import MoveRequest
from tengen.tools.match.own.game import tally
from tengen.tools.match.own.match import play
from tengen.tools.match.own.sides import Match


def test_levels_search_more_and_stray_less() -> None:
    rows = [LEVELS[number] for number in range(1, 11)]
    for below, above in zip(rows, rows[1:], strict=False):
        assert above.limits.playouts is None or (below.limits.playouts or 0) < above.limits.playouts
        assert above.margin <= below.margin


@pytest.mark.slow
@pytest.mark.parametrize("level", range(2, 7))
def test_a_level_beats_the_one_below(level: int) -> None:
    assert tally(play(Match(Config(level=level), Config(level=level - 1), games=30))).score > 0.5


@pytest.mark.parametrize("level", LEVELS)
def test_levels_play(level: int) -> None:
    live = player(7, level=level, playouts=None, time=0.05)
    assert live.genmove(MoveRequest(0)).move is not None


def test_a_player_has_levels_of_its_own(scripted: type[Scripted]) -> None:
    levels = {3: Level(Limits(visits=7), 0.5, 0.2), 20: Level(Limits(depth=4), 0.0, 0.0)}
    GAMES["scripted"] = replace(GO, name="scripted", players={"deep": PlayerEntry("scripted", levels=levels)})
    live = scripted_player("deep", level=3)
    assert live.level == levels[3]
    live.genmove(MoveRequest(0, play=False))
    assert scripted.limits == Limits(visits=7), "nothing else bounds it"
    live.configure(replace(live.config, level=20, playouts=5))
    assert live.level.limits == Limits(depth=4, playouts=5)
    says = "the player 'deep' of scripted has no level 4; it has 3, 20"
    for refused in (lambda: live.configure(replace(live.config, level=4)), lambda: scripted_player("deep", level=4)):
        with pytest.raises(ConfigError, match=says):
            refused()
    assert live.config.level == 20


def test_a_player_without_levels(scripted: type[Scripted]) -> None:
    GAMES["scripted"] = replace(GO, name="scripted", players={"deep": PlayerEntry("scripted", levels={})})
    with pytest.raises(ConfigError, match="the player 'deep' of scripted has no level 1; it has none"):
        scripted_player("deep", level=1)
    assert "level" not in {option.name for option in options_of(get_game("scripted"))}


# What is taken: the lines as (visits, prior, win) or (visits, prior, win, score), the level, and the shares of the lines.
VISITED = ((60, 0.1, 0.5), (30, 0.8, 0.5), (10, 0.1, 0.3))
AHEAD = ((60, 0.0, 0.5, 1.0), (900, 0.0, 0.4, 0.0), (10, 0.0, 0.1, -1.0))
UNSEEN = ((0, 0.6, 0.5), (0, 0.3, 0.5), (0, 0.1, 0.5))
CHOICES = {
    "the best": (VISITED, Level(Limits(), 0.0, 1.0), (1, 0, 0)),
    "by visits": (VISITED, Level(Limits(), 1.0, 1.0), (0.6, 0.3, 0.1)),
    "within the margin": (VISITED, Level(Limits(), 1.0, 0.1), (2 / 3, 1 / 3, 0)),
    "of enough visits": (VISITED, Level(Limits(), 1.0, 1.0, 0.2), (2 / 3, 1 / 3, 0)),
    "sharply": (VISITED, Level(Limits(), 0.5, 1.0), (36 / 46, 9 / 46, 1 / 46)),
    "by score": (AHEAD, Level(Limits(), 1.0, 1.0, by_score=True), (0.665, 0.245, 0.09)),
    "by score, flattened": (AHEAD, Level(Limits(), 2.0, 1.0, by_score=True), (0.506, 0.307, 0.186)),
    "by score within the margin": (AHEAD, Level(Limits(), 1.0, 0.2, by_score=True), (0.731, 0.269, 0)),
    "by scores far apart": (
        ((1, 0, 0.9, 9000.0), (1, 0, 0.9, -9000.0)),
        Level(Limits(), 0.1, 1.0, by_score=True),
        (1, 0),
    ),
    "the policy's best": (UNSEEN, Level(Limits(), 0.0, 1.0), (1, 0, 0)),
    "by the policy": (UNSEEN, SAMPLING, (0.6, 0.3, 0.1)),
    "by the policy without its tail": (UNSEEN, Level(Limits(), 1.0, 1.0, 0.3), (2 / 3, 1 / 3, 0)),
    "by the policy, flattened": (UNSEEN, Level(Limits(), 2.0, 1.0), (0.473, 0.334, 0.193)),
}


def test_scores_of_another_depth_are_not_weighed() -> None:
    """A search that ended in the middle of a depth: what it had not come to is not compared."""
    scores = ((0, 0.0, 5), (1, 0.0, 5), (2, 90.0, 4))
    lines = tuple(Line(at, (at,), 1, 0.5, score=score, depth=depth) for at, score, depth in scores)
    found = {
        choose_line(Info(lines), Level(Limits(), 50.0, 1.0, by_score=True), random.Random(seed)) for seed in range(40)
    }
    assert found == set(lines[:2])


@pytest.mark.parametrize("name", CHOICES)
def test_how_a_line_is_chosen(name: str) -> None:
    rows, level, shares = CHOICES[name]
    lines = tuple(
        Line(at, (at,), visits, win, loss=1 - win, prior=prior, score=sum(score))
        for at, (visits, prior, win, *score) in enumerate(rows)
    )
    generator = random.Random(4)
    chosen = Counter(choose_line(Info(lines), level, generator) for _ in range(4000))
    assert [chosen[line] / 4000 for line in lines] == pytest.approx(shares, abs=0.03)
    assert all(chosen[line] == 0 for line, share in zip(lines, shares, strict=True) if share == 0)
    lost = tuple(line._replace(proof=Proof(-1, 3)) if line.move == 1 else line for line in lines)
    assert all(choose_line(Info(lost), level, generator).move != 1 for _ in range(100))  # type: ignore[union-attr]


# Levels of Go by a network: by the size of the board, and by ranks


def test_levels_of_go_lie_between_those_of_two_sizes() -> None:
    small, large = ([table[number] for number in range(1, 11)] for table in (strength.SMALL, strength.LARGE))
    for rows in (small, large):
        assert all(is_stronger(above, below) for below, above in zip(rows, rows[1:], strict=False))
    for number in strength.SMALL:
        sizes = [level_in_force(GO, Config(player="puct", level=number), side * side) for side in (5, 9, 13, 19, 25)]
        assert sizes[0] == sizes[1] == strength.SMALL[number] and sizes[3] == sizes[4]
        assert sizes[3].temperature == pytest.approx(strength.LARGE[number].temperature)
        assert sizes[3].limits == strength.LARGE[number].limits
        ends = sorted((sizes[1].temperature, sizes[3].temperature))
        assert ends[0] <= sizes[2].temperature <= ends[1]
    assert level_in_force(GO, Config(player="puct", level=6)) == strength.SMALL[6]


def is_stronger(above: Level, below: Level) -> bool:
    """Whether a level of one of the two families sees more, or chooses less freely."""
    seen = [level.limits.visits or 10**9 for level in (above, below)]
    return seen[0] > seen[1] or (seen[0] == seen[1] and above.temperature < below.temperature)


def test_ranks_of_go() -> None:
    ranks = strength.RANKS
    assert list(ranks) == [*(f"{rank}k" for rank in range(25, 0, -1)), "1d", "2d", "3d"]
    rows = list(ranks.values())
    assert all(is_stronger(above, below) for below, above in zip(rows, rows[1:], strict=False))
    for word in ("8k", "8K", "8 kyu"):
        assert level_in_force(GO, Config(player="puct", rank=word), 361) == ranks["8k"]
    for config, sentence in (
        (Config(player="puct", rank="30k"), "rank: '30k' is not one of 25k to 3d"),
        (Config(player="puct", rank="8k", level=3), "rank: choose a rank or a level, not both"),
        (
            Config(player="uct", rank="8k"),
            "rank: the player 'uct' of go has no ranks; --player puct has some, with a network",
        ),
    ):
        with pytest.raises(ValueError, match=sentence):
            level_in_force(GO, config)


def test_a_live_player_has_the_level_of_its_board() -> None:
    live = Player(Config(player="puct", level=2, net=str(networks.tiny())))
    live.new_game(9)
    small = live.level
    live.new_game(19)
    assert (small, live.level) == (strength.SMALL[2], level_in_force(GO, live.config, 361))
    live.configure(replace(live.config, level=None, rank="3k"))
    assert live.level == strength.RANKS["3k"]


# Levels by a network


def test_levels_by_a_network_see_more_and_stray_less() -> None:
    rows = [NETWORK[number] for number in range(1, 11)]
    for below, above in zip(rows, rows[1:], strict=False):
        assert not above.limits.is_counted or (below.limits.visits or 0) <= (above.limits.visits or 0)
        assert (above.limits, -above.temperature) != (below.limits, -below.temperature)
        assert above.limits != below.limits or (above.temperature < below.temperature and above.least >= below.least)
    assert not rows[-1].limits.is_counted and rows[-1].temperature == 0


@pytest.mark.parametrize("level", NETWORK)
def test_levels_by_a_network_play(level: int) -> None:
    needs_openvino()
    live = player(5, player="puct", level=level, playouts=None, time=0.2, net=str(networks.tiny()), precision="f32")
    for colour in (0, 1, 0):
        assert live.genmove(MoveRequest(colour)).move is not None


def test_the_policy_is_sampled_unless_a_temperature_is_named() -> None:
    assert level_in_force(GO, Config(player="policy")) == SAMPLING
    assert level_in_force(GO, Config(player="policy", temperature=0.0)).temperature == 0
    assert (
        level_in_force(GO, Config(player="puct")).temperature
        == level_in_force(GO, Config(player="value")).temperature
        == 0
    )


@pytest.mark.slow
@pytest.mark.parametrize("level", [(3, 7)[number] for number in some_of(2)])
def test_a_level_by_a_network_beats_the_one_two_below(level: int, shared: Callable[[str], Path]) -> None:
    """Two, so that twenty games show it (docs/go.md has each step, of more games)."""
    needs_openvino()
    net = str(shared("data/go/katago/g170-b6c96.bin.gz"))
    sides = (Config(player="puct", net=net, level=number) for number in (level, level - 2))
    assert tally(play(Match(*sides, games=20))).score > 0.5


# Levels of a player that looks ahead


def test_levels_that_look_ahead_see_more_and_stray_less() -> None:
    rows = [LOOKING_AHEAD[number] for number in range(1, 11)]
    assert all(row.by_score for row in rows)
    for below, above in zip(rows[:-1], rows[1:-1], strict=False):
        assert (below.limits.depth or 0) <= (above.limits.depth or 0) and above.temperature < below.temperature
    assert not rows[-1].limits.is_counted and rows[-1].temperature == 0


def test_a_level_that_looks_ahead_plays_any_move_that_is_near() -> None:
    """A temperature of 0 over it, and it plays the best one."""
    moves: dict[float | None, set[int | None]] = {None: set(), 0.0: set(), 3.0: set()}
    for temperature, found in moves.items():
        for seed in range(8):
            config = Config(game="reversi", player="alphabeta", level=1, seed=seed, threads=1, temperature=temperature)
            live = Player(config)
            live.play(0, 19)
            found.add(live.genmove(MoveRequest(1)).move)
            live.close()
    assert len(moves[None]) > 1 and len(moves[3.0]) > 1 and len(moves[0.0]) == 1


def test_a_temperature_has_all_moves_searched() -> None:
    config = Config(game="reversi", player="alphabeta", temperature=2.0)
    assert level_in_force(get_game("reversi"), config).limits.lines == EVERY
    assert level_in_force(get_game("reversi"), replace(config, temperature=0.0)).limits.lines == 1
