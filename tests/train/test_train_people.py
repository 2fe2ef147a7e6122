"""Games of people in a run: taken in once, learned from instead of self-play or before it."""

from __future__ import annotations

import io
import random
from pathlib import Path

import pytest
from fakes_of_watching import Silent
from made_up_run import MadeUp, config, work

from tengen.engine.games import get_game
from tengen.tools.executors.local import Here
from tengen.tools.live import Live
from tengen.tools.train.run import people
from tengen.tools.train.run.cycle import Loop
from tengen.tools.train.run.manifest import Kept, Manifest, RunError, Shard
from tengen.tools.train.run.runs import Run, opened

LETTERS = "abcdefghi"


def records(folder: Path, games: int) -> None:
    """Games of Go on 9x9 between players with names, moves at random."""
    folder.mkdir()
    go = get_game("go")
    for number in range(games):
        dice, state, moves = random.Random(number), go.new_state(9, 9, go.rule_sets["tromp-taylor"], 7.0), []
        for ply in range(30):
            move = dice.choice([one for one in state.legal_moves() if one != state.pass_move])
            state.play(move)
            moves.append(f";{'BW'[ply % 2]}[{LETTERS[move % 9]}{LETTERS[move // 9]}]")
        head = f"(;GM[1]FF[4]SZ[9]KM[7]RU[Chinese]PB[one {number}]PW[two {number}]BR[3d]WR[4d]RE[B+R]"
        (folder / f"{number}.sgf").write_text(head + "".join(moves) + ")")


def sit(run: Run) -> Manifest:
    watcher = Silent()
    Loop(run, MadeUp(), Here(work), watcher, lambda: False).sit()
    return run.manifest


@pytest.mark.parametrize(("first", "played"), [(0, 0), (2, 1)])
def test_records_come_instead_or_first(tmp_path: Path, first: int, played: int) -> None:
    """Three generations: all of them by records, or the first two."""
    changes = {"records.generations": first, "records.steps": 5, "gate.games": 0, "anchor.every": 0}
    with opened(tmp_path, "x", config(**changes)) as run:
        run.commit(shards=(Shard(Kept("shards/people.npz", "", 3), "records-1", -1, 9, 300),))
        (tmp_path / "shards" / "people.npz").write_text("abc")
        found = sit(run)
    steps = [network.steps for network in found.networks]
    assert steps[:3] == [0, 5, 10] and len(steps) == 4 and bool(found.games) == bool(played)
    assert (steps[3] == 15) == (not played), "self-play has steps by its positions"
    assert found.positions == sum(shard.positions for shard in found.shards if not shard.is_record)


def test_records_are_taken_in_once(tmp_path: Path) -> None:
    records(tmp_path / "sgf", 12)
    said = io.StringIO()
    with opened(tmp_path / "run", "x", config(**{"records.players": 0.3, "board.size": 9})) as run:
        people.take_in(run, tmp_path / "sgf", 2.0, Live(said))
        shards = run.manifest.shards
        assert sum(shard.games for shard in shards if not shard.figures["held_out"]) >= 3 and all(
            shard.is_record for shard in shards
        )
        assert "games to learn from" in said.getvalue()
        people.take_in(run, tmp_path / "nowhere", None, Live(said))
        assert run.manifest.shards == shards
        run.check([shard.file for shard in shards])


def test_what_cannot_be_learned_from_is_said(tmp_path: Path) -> None:
    records(tmp_path / "sgf", 2)
    with (
        opened(tmp_path / "run", "x", config(**{"board.size": 13})) as run,
        pytest.raises(RunError, match="no game in .* can be learned from"),
    ):
        people.take_in(run, tmp_path / "sgf", None, Live(io.StringIO()))
    with opened(tmp_path / "old", "x", config(**{"cycle.generations": 1})) as run:
        sit(run)
        with pytest.raises(RunError, match="has begun without records"):
            people.take_in(run, tmp_path / "sgf", None, Live(io.StringIO()))
