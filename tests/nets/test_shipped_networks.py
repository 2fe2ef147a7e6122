"""The networks of Go that Tengen ships: each with its card, taken by `auto` for its boards, and no fool on them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from pathlib import Path

import pytest
from checkout import needs_openvino

from tengen.engine.config import Config
from tengen.engine.evaluators.backends.cards import Card, card_path, read_card, sha256_of
from tengen.engine.evaluators.katago.finding import SHIPPED, Place, choose, find_networks
from tengen.engine.evaluators.katago.model import glance
from tengen.engine.evaluators.katago.reading import read_model
from tengen.engine.limits import Limits
from tengen.engine.play.networks import named_network
from tengen.engine.play.player import Player
from tengen.engine.play.request import MoveRequest
from tengen.nets.weights import FOLDER

FILES = sorted(FOLDER.glob("*.bin.gz"))
TAILS = sorted(FOLDER.glob("*.tail.gz"))
LARGEST_MB = 20


def card_of(path: Path) -> Card:
    return read_card(card_path(path))


def sizes_of(path: Path) -> list[int]:
    """The usual boards that it is for."""
    least, most = card_of(path).boards or (0, 0)
    return [size for size in (9, 13, 19) if least <= size <= most]


@pytest.fixture(scope="module", params=FILES, ids=lambda path: path.name)
def played(request: pytest.FixtureRequest) -> Iterator[tuple[Player, list[int]]]:
    """A player by a network, and the usual boards that it is for."""
    needs_openvino()
    player = Player(Config(net=str(request.param), threads=1, seed=1, rules="chinese"))
    yield player, sizes_of(request.param)
    player.close()


def begin(player: Player, size: int) -> None:
    player.new_game(size)
    player.set_komi(7)


def test_there_is_one_for_every_usual_board() -> None:
    assert {size for path in FILES for size in sizes_of(path)} == {9, 13, 19}


@pytest.mark.parametrize("path", [*FILES, *TAILS], ids=lambda path: path.name)
def test_a_card_describes_it(path: Path) -> None:
    """What it learned from, by which command, and what was measured."""
    card, data = card_of(path), path.read_bytes()
    assert card.sha256 == sha256_of(data) and len(data) < LARGEST_MB * 10**6 and glance(path).header.name == card.name
    assert (card.game, card.features, card.licence) == ("go", "katago-v7", "MIT") and card.boards
    assert (
        card.command.startswith(("tengen train", "python -m tengen.tools.lab."))
        and "games" in card.data
        and "loss" in " ".join(card.figures)
    )
    assert {"time", "machine", "matches"} <= set(card.figures)


def test_auto_takes_one_that_was_taught_where_there_is_no_other() -> None:
    """On 9x9 that for 9x9 alone. The one that learned from random weights has to be named."""
    found = find_networks([Place(SHIPPED, FOLDER)])
    for size in range(9, 20):
        taken = choose(found, (size, size))
        name = "tengen-go-9-taught" if size == 9 else "tengen-go-9-19"
        assert taken is not None and taken.path.name == f"{name}.bin.gz"
    assert [one.path.name for one in found if one.by_name] == ["tengen-go-9.bin.gz"]


@pytest.mark.parametrize("path", TAILS, ids=lambda path: path.name)
def test_a_tail_goes_on_from_a_network_that_is_shipped(path: Path) -> None:
    """Whoever ships another base has to teach the tail anew."""
    assert len(read_model(path).trunk.blocks) > glance(path).blocks and card_of(path).by_name


def test_a_rank_is_played_by_the_network_of_people() -> None:
    ranked = Config(game="go", net="auto", rank="8k")
    named = named_network(ranked)
    assert named is not None and Path(named) in TAILS
    assert named_network(replace(ranked, rank=None)) == "auto"
    for net in ("tengen-go-9-19", str(FILES[0])):
        assert Path(named_network(replace(ranked, net=net)) or "").name.endswith(".bin.gz"), "who names one has it"
    assert named_network(replace(ranked, net="none")) is None


def test_it_opens_a_game_like_people(played: tuple[Player, list[int]]) -> None:
    """On the third line or above."""
    player, sizes = played
    for size in sizes:
        begin(player, size)
        move = player.genmove(MoveRequest(0, limits=Limits(visits=50))).move
        assert move is not None and 2 <= min(divmod(move, size)) and max(divmod(move, size)) <= size - 3, player.state


def test_it_knows_who_has_won(played: tuple[Player, list[int]]) -> None:
    """Walls from edge to edge with no room between them, more of one colour: both sides know whose win it is."""
    player, sizes = played
    for size in sizes:
        border = 2 * (size // 3)
        for winner, colour in product((0, 1), repeat=2):
            begin(player, size)
            for row in range(size):
                for column in (*range(1, border, 2), *range(border, size, 2)):
                    player.play(winner if column < border else 1 - winner, row * size + column)
            info = player.genmove(MoveRequest(colour, limits=Limits(visits=50))).info
            assert (info.expected > 0.9) if colour == winner else (info.expected < 0.1), (size, colour, info.expected)
