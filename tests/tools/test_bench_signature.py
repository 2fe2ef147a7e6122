"""`tengen bench --signature`: one number a game, the same in every run, pinned with the commit that changed it last."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tengen.engine.games import GAMES, get_game
from tengen.engine.games.bench import Bench, BenchPosition
from tengen.engine.games.parts import Parts, load
from tengen.engine.play.signature import bench_of, limits_of, root_of, signature

Run = Callable[..., subprocess.CompletedProcess[str]]
PINNED = Path(__file__).parent.parent / "data" / "signatures.txt"
SPINNERS, RUNS = 2, 10
OTHERS = [("gomoku", "uct", 1645872444)]
"""Players that are no longer their game's default: what was pinned while they were."""


def pinned() -> dict[str, tuple[int, str]]:
    """Game -> its number, and the commit that changed it last."""
    rows = [
        line.split(maxsplit=2) for line in PINNED.read_text(encoding="utf-8").splitlines() if line[:1] not in ("#", "")
    ]
    return {game: (int(number), commit) for game, number, commit in rows}


@pytest.fixture
def busy() -> Iterator[None]:
    """Others are at work."""
    spinners = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(SPINNERS)]
    yield
    for spinner in spinners:
        spinner.kill()
        spinner.wait()


@pytest.mark.parametrize("game", list(GAMES))
def test_the_search_is_the_one_that_was_signed(game: str) -> None:
    number, (kept, commit) = signature(get_game(game)), pinned()[game]
    assert number == kept, (
        f"the search of {game} has changed: its signature was {kept} (since '{commit}') and is {number}. If that was "
        f"meant, write '{game} {number} AREA: WHAT' in {PINNED.name}, with the first line of your commit, write the "
        f"golden files again, and end the commit's message with 'Signature: {game} {number}'"
    )


@pytest.mark.parametrize(("game", "player", "number"), OTHERS)
def test_other_players_search_as_before(game: str, player: str, number: int) -> None:
    assert signature(get_game(game), player=player) == number


def test_every_game_is_pinned_with_a_commit() -> None:
    assert list(pinned()) == list(GAMES)
    assert all(": " in commit for _, commit in pinned().values())


@pytest.mark.parametrize("game", list(GAMES))
def test_positions_are_of_the_game_and_not_over(game: str) -> None:
    """In none has the search nothing to do, and no two are the same."""
    facts = get_game(game)
    roots = [root_of(facts, position) for position in bench_of(facts).positions]
    assert len(roots) >= 6 and not any(root.state.is_terminal() for root in roots)
    assert len({(root.state.width, root.state.position_key) for root in roots}) == len(roots)


@pytest.mark.parametrize("name", ["gomoku", "reversi"])
def test_another_amount_of_work_has_another_number(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """A playout more changes a tree's checksum, a ply more the nodes."""
    bench = Bench(bench_of(get_game(name)).positions[:2], depth=4, playouts=200)
    numbers = []
    for changed in (bench, bench._replace(depth=5, playouts=201), bench):
        monkeypatch.setattr(f"tengen.engine.games.{name}.bench.BENCH", changed)
        numbers.append(signature(get_game(name)))
    assert numbers[0] == numbers[2] != numbers[1]


def test_a_game_without_positions_of_its_own_is_signed_from_its_start() -> None:
    bench = load(Parts().bench)
    assert bench == Bench() and bench.positions == (BenchPosition(),)
    assert limits_of(bench, True).depth and limits_of(bench, False).playouts


@pytest.mark.slow
def test_through_a_pipe_and_under_load(tengen: Run, busy: None) -> None:
    """The whole command, as people run it; what uci bench counts is the line of chess."""
    numbers = {game: number for game, (number, _) in pinned().items()}
    assert json.loads(tengen("bench", "--signature", "--json").stdout) == numbers
    assert f"Nodes searched  : {numbers['chess']}\n" in tengen("uci", "bench").stdout


def test_one_game_alone(tengen: Run) -> None:
    assert tengen("bench", "--signature", "--game", "reversi").stdout == f"reversi {pinned()['reversi'][0]}\n"


@pytest.mark.slow
def test_ten_runs_at_once_say_one_number(tengen: Run) -> None:
    """Ten programs on however many cores there are: each waits for the others."""
    with ThreadPoolExecutor(RUNS) as programs:
        said = set(programs.map(lambda _: tengen("bench", "--signature", timeout=300).stdout, range(RUNS)))
        counted = set(programs.map(lambda _: tengen("uci", "bench", timeout=300).stdout, range(RUNS)))
    assert [{line.split()[0]: int(line.split()[1]) for line in text.splitlines()} for text in said] == [
        {game: number for game, (number, _) in pinned().items()}
    ]
    assert len({line for text in counted for line in text.splitlines() if "searched" in line}) == 1


def test_mistakes_are_told(called: Run) -> None:
    for words, sentence in (
        (("bench", "--game", "chess"), "--game goes with --signature"),
        (("bench", "--signature", "--game", "ches"), "did you mean 'chess'?"),
        (("uci", "banch"), "'banch' is no command of UCI's front end; there is bench [DEPTH]"),
        (("uci", "bench", "0"), "bench: '0' is no depth of 1 to 60"),
        (("uci", "bench", "3", "4"), "there is bench [DEPTH]"),
    ):
        done = called(*words)
        assert done.returncode == 2 and sentence in done.stderr and not done.stdout


def test_nobody_reads(tmp_path: Path) -> None:
    """The reader of the pipe leaves: no traceback."""
    command = f"{sys.executable} -m tengen.tools uci bench 3 | head -n 1"
    done = subprocess.run(command, shell=True, capture_output=True, text=True, env=os.environ, timeout=60)
    assert "Traceback" not in done.stderr
