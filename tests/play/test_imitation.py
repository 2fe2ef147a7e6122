"""A move chosen by the policy of a human network: KataGo's formula by hand, its temperature, and real games."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from checkout import needs_openvino
from katago_files import file_of, network

from tengen.engine.config import Config, ConfigError, merge
from tengen.engine.games.base import BLACK, WHITE
from tengen.engine.human_choice import HumanChoice, human_choice
from tengen.engine.info import Info, Line
from tengen.engine.play.human_move import mixed, sharpened
from tengen.engine.play.player import Player
from tengen.engine.play.request import MoveRequest

A, B, C, PASS = 0, 1, 2, 3
POLICY = {A: 0.1, B: 0.3, C: 0.4, PASS: 0.2}
INFO = Info(lines=(Line(A, (A,), 6, win=0.6), Line(B, (B,), 2, win=0.5)))
PASSING = Info(lines=(Line(A, (A,), 6, win=0.6), Line(PASS, (PASS,), 2, win=0.5)))

# The report, the settings -> what speaks for each move. Utilities of INFO are 0.2 and 0, their mean 0.1.
MIXED: dict[str, tuple[Info, HumanChoice, list[float]]] = {
    "people alone": (INFO, HumanChoice(ignores_pass=False), [0.8, 2.4, 3.2, 1.6]),
    "half": (INFO, HumanChoice(share=0.5, ignores_pass=False), [3.4, 2.2, 1.6, 0.8]),
    "none": (INFO, HumanChoice(share=0), [6, 2, 0, 0]),
    "the search does not pass": (INFO, HumanChoice(), [1.0, 3.0, 4.0, 0]),
    "the search passes at times": (PASSING, HumanChoice(), [0.75, 2.25, 3.0, 2.0]),
    # 0.1, 0.3 e^-1, 0.4 e^-0.5, 0.2 e^-0.5, over their sum 0.574283, times 8
    "losses are rarer": (INFO, HumanChoice(scale=0.2, ignores_pass=False), [1.393040, 1.537411, 3.379697, 1.689849]),
    "nothing was searched": (Info(), HumanChoice(ignores_pass=False), [0.1, 0.3, 0.4, 0.2]),
}


@pytest.mark.parametrize("name", MIXED)
def test_what_speaks_for_a_move(name: str) -> None:
    info, how, wanted = MIXED[name]
    assert list(mixed(info, POLICY, PASS, how).values()) == pytest.approx(wanted, abs=1e-5)


# Temperature, the bar -> weights of 8, 4, 1 and 0: shares 0.615, 0.308, 0.077.
SHARPENED: dict[str, tuple[float, float, dict[int, float]]] = {
    "as they are": (1, 1, {0: 1, 1: 0.5, 2: 0.125}),
    "half": (0.5, 1, {0: 1, 1: 0.25, 2: 0.015625}),
    "cold": (0, 1, {0: 1}),
    # the bar is at 0.1 x 13 / 8 = 0.1625 of the largest: 0.125 becomes 0.1625 (0.125 / 0.1625)^2
    "below a bar": (0.5, 0.1, {0: 1, 1: 0.5, 2: 0.0961538}),
    "above the bar": (0.5, 0.01, {0: 1, 1: 0.5, 2: 0.125}),
}


@pytest.mark.parametrize("name", SHARPENED)
def test_temperature(name: str) -> None:
    temperature, bar, wanted = SHARPENED[name]
    assert sharpened({0: 8, 1: 4, 2: 1, 3: 0}, temperature, bar) == pytest.approx(wanted)


def test_the_temperature_falls_with_the_game() -> None:
    how = HumanChoice(early=0.85, late=0.65, halflife=80)
    assert [how.temperature(turn, 361) for turn in (0, 80, 160)] == pytest.approx([0.85, 0.75, 0.70])
    assert how.temperature(40, 81) == pytest.approx(0.65 + 0.2 * 0.5 ** (0.5 * 19 / 9))


def test_settings_by_name() -> None:
    config = merge(Config(), {"human": {"humanSLChosenMoveProp": "0.5", "chosenMoveTemperatureEarly": 1}})
    assert human_choice(config.human) == HumanChoice(share=0.5, early=1)
    for wrong, says in (
        ({"humanSLChosenMoveProb": 1}, "did you mean 'humanSLChosenMoveProp'"),
        ({"humanSLChosenMoveProp": 2}, "from 0 to 1"),
    ):
        with pytest.raises(ConfigError, match=says):
            merge(Config(), {"human": wrong})


@pytest.fixture(scope="module")
def nets(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    needs_openvino()
    folder, found = tmp_path_factory.mktemp("nets"), {}
    for name, model in {
        "main": network(("ordinary",), 14),
        "human": network(("ordinary", "pooling"), 15, has_metadata=True),
    }.items():
        path = Path(folder) / f"{name}.bin.gz"
        path.write_bytes(file_of(model))
        found[name] = str(path)
    return found


def player(nets: dict[str, str], **changes: object) -> Player:
    config = Config(
        net=nets["main"],
        human_net=nets["human"],
        human_profile="rank_5k",
        precision="f32",
        visits=8,
        threads=1,
        seed=1,
        resign=0,
    )
    one = Player(merge(config, changes))
    one.new_game(5)
    return one


def test_moves_are_drawn_by_the_human_policy(nets: dict[str, str]) -> None:
    from tengen.engine.evaluators.katago.profiles import profile_of
    from tengen.engine.play.networks import human_network_of, katago_of
    from tengen.engine.search.base import Root
    from tengen.engine.search.human_view import view_of

    one = player(
        nets, human={"chosenMoveTemperatureEarly": 1, "chosenMoveTemperature": 1, "rootNumSymmetriesToSample": 8}
    )
    loading = human_network_of(one.config)
    assert loading is not None
    seen = view_of(katago_of(loading), profile_of("rank_5k"), Root(one.state), range(8))
    assert seen is not None
    wanted = seen.shares([move for move in one.state.legal_moves() if move != one.state.pass_move])
    tries = 300
    moves = Counter(one.genmove(MoveRequest(BLACK, play=False)).move for _ in range(tries))
    assert set(moves) <= set(wanted), "the search does not pass, so nobody does"
    off = sum((moves[move] - tries * share) ** 2 / (tries * share) for move, share in wanted.items())
    assert off < 52, "chi square with 24 degrees of freedom: one in a thousand"


def test_the_same_seed_plays_the_same_game(nets: dict[str, str]) -> None:
    games = []
    for _ in range(2):
        one = player(nets)
        games.append([one.genmove(MoveRequest(side)).move for side in (BLACK, WHITE) * 4])
    assert games[0] == games[1]


def test_a_main_network_of_people_plays_with_a_profile_alone(nets: dict[str, str]) -> None:
    config = Config(net=nets["human"], human_profile="rank_9k_2d", precision="f32", visits=8, threads=1)
    one = Player(config)
    one.new_game(5)
    assert one.genmove(MoveRequest(BLACK)).info.visits == 8
    with pytest.raises(ConfigError, match="imitates people and has to be told"):
        one.configure(replace(one.config, human_profile=None))
    assert one.config.human_profile == "rank_9k_2d"


def test_without_a_profile_the_search_chooses(nets: dict[str, str]) -> None:
    plain = Player(Config(net=nets["main"], precision="f32", visits=8, threads=1, seed=1, resign=0))
    plain.new_game(5)
    silent = Player(
        Config(net=nets["main"], human_net=nets["human"], precision="f32", visits=8, threads=1, seed=1, resign=0)
    )
    silent.new_game(5)
    assert silent.genmove(MoveRequest(BLACK)).move == plain.genmove(MoveRequest(BLACK)).move
