"""`tengen play --rank`: a network of people plays as one of a rank would; what is missing for it is told at once."""

from __future__ import annotations

import subprocess
from collections.abc import Callable

import pytest
from checkout import needs_openvino
from katago_files import file_of, network

needs_openvino()


@pytest.fixture(scope="module")
def nets(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """A network that plays, and one that imitates people."""
    folder = tmp_path_factory.mktemp("nets")
    (folder / "main.bin.gz").write_bytes(file_of(network(("ordinary",), 14)))
    (folder / "human.bin.gz").write_bytes(file_of(network(("ordinary", "pooling"), 15, has_metadata=True)))
    return {name: str(folder / f"{name}.bin.gz") for name in ("main", "human")}


def test_a_game_against_a_rank(nets: dict[str, str], tengen: Callable[..., subprocess.CompletedProcess[str]]) -> None:
    words = ["--net", nets["main"], "--human-net", nets["human"], "--rank", "5K", "--precision", "f32"]
    play = ["play", "go", "--size", "9", "--visits", "10", "--time", "20", "--threads", "1", "--typed", *words]
    done = tengen(*play, send="c3\nundo\nc3\nquit\nquit\n")
    assert done.returncode == 0 and done.stdout.count("Tengen puct plays ") == 2, done.stderr
    assert "not ready" not in done.stdout


def test_a_rank_of_the_shipped_network(tengen: Callable[..., subprocess.CompletedProcess[str]]) -> None:
    done = tengen("play", "go", "--size", "9", "--rank", "12 kyu", "--typed", send="c3\nquit\nquit\n")
    assert done.returncode == 0 and done.stdout.count("Tengen puct 12 kyu plays ") == 1, done.stderr


MISTAKES = [
    (["--rank", "99k", "--net", "main"], "rank: '99k' is not one of 25k to 3d"),
    (
        ["--rank", "5k", "--net", "none"],
        "rank: the player 'uct' of go has no ranks; --player puct has some, with a network",
    ),
    (["--rank", "99k", "--human-net", "human"], "there are no players 'rank_99k'; those known are rank_20k to rank_9d"),
    (["--rank", "5k", "--human-net", "human", "--human-profile", "rank_3k"], "--rank and --human-profile both say"),
    (["--rank", "5k", "--human-net", "main"], "humanSLProfile needs a network that imitates people"),
]


@pytest.mark.parametrize(("words", "sentence"), MISTAKES)
def test_what_is_missing_is_one_sentence(
    words: list[str], sentence: str, nets: dict[str, str], tengen: Callable[..., subprocess.CompletedProcess[str]]
) -> None:
    done = tengen("play", "go", "--size", "9", *(nets.get(word, word) for word in words))
    assert done.returncode == 2 and sentence in done.stderr and len(done.stderr.splitlines()) == 1


def test_ranks_are_of_go(nets: dict[str, str], tengen: Callable[..., subprocess.CompletedProcess[str]]) -> None:
    done = tengen("play", "reversi", "--rank", "5k", "--human-net", nets["human"])
    assert done.returncode == 2 and "networks of people play go, not reversi" in done.stderr
