"""`tengen train rate`: who plays whom, what becomes of the games, and that the command goes on where it was ended."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import made_up_run
import pytest

from tengen.tools import cli
from tengen.tools.executors import choice
from tengen.tools.executors.base import Unit
from tengen.tools.executors.local import Here
from tengen.tools.train.commands.rate import LOCK
from tengen.tools.train.run.manifest import Kept, Lot, Manifest, Network, RunError
from tengen.tools.train.run.runs import locked, look
from tengen.tools.train.show import rated, report


def network(generation: int, seconds: float, is_taken: bool | None = True) -> Network:
    return Network(generation, (Kept(f"networks/{generation}.bin.gz", "", 0),), 0, 0, 0, seconds, is_taken)


def run_of(*networks: Network) -> Manifest:
    return Manifest("made", "", {}, networks=networks)


LONG = run_of(*(network(number, 60.0 * number, number not in (3, 7)) for number in range(11)), network(11, 660, None))
CHOICES = [
    (2, None, [0, 10]), (3, None, [0, 5, 10]), (6, None, [0, 2, 4, 6, 8, 10]), (100, None, [0, 1, 2, 4, 5, 6, 8, 9, 10]),
    (3, 420, [0, 2, 6]), (3, 480, [0, 4, 8]), (2, 60, [0, 1]),
]  # fmt: skip


@pytest.mark.parametrize(("count", "until", "wanted"), CHOICES)
def test_networks_that_played_are_chosen_evenly_in_time(count: int, until: float | None, wanted: list[int]) -> None:
    assert [one.generation for one in rated.chosen(LONG, count, until)] == wanted


@pytest.mark.parametrize(("found", "until"), [(run_of(), None), (run_of(network(0, 0)), None), (LONG, 30.0)])
def test_one_network_cannot_be_rated(found: Manifest, until: float | None) -> None:
    with pytest.raises(RunError, match="fewer than two networks"):
        rated.chosen(found, 6, until)


def test_neighbours_play_more() -> None:
    networks = [network(number, 0) for number in (0, 2, 5)]
    found = [(a.generation, b.generation, games) for a, b, games in rated.pairings(networks, 200, 40)]
    assert found == [(2, 0, 200), (5, 2, 200), (5, 0, 40)]
    assert len(rated.pairings(networks, 200, 0)) == 2


def lot(first: int, second: int, scores: list[float]) -> Lot:
    return Lot(f"{first}-{second}", first, str(second), {str(number): score for number, score in enumerate(scores)})


def test_ratings_are_of_all_games_at_once() -> None:
    mostly, half = [1.0, 1.0, 1.0, 0.0, 1.0, 1.0, 0.0, 1.0] * 12, [1.0, 0.0, 0.0, 1.0] * 24
    lots = [lot(1, 0, mostly), lot(2, 1, half), lot(2, 0, mostly), lot(9, 0, mostly)]
    rows = rated.ratings(run_of(*(network(number, 0) for number in range(3))), lots)
    assert [row.network.generation for row in rows] == [0, 1, 2], "9 is not known to the run"
    assert rows[0].elo == (0, 0, 0) and rows[0].match is None
    assert all(170 < row.elo.value < 205 and row.elo.low > 100 for row in rows[1:]), "three points to one are 191 Elo"
    assert rows[1].match is not None and rows[1].match.los > 0.999
    assert rows[2].match is not None and rows[2].match.los == pytest.approx(0.5)
    told = rated.ratings(run_of(*(network(number, 0) for number in range(3))), lots[:1] + lots[2:3])
    assert [row.match is None for row in told] == [True, False, True], "the last two did not meet"
    assert rated.ratings(run_of(network(0, 0)), []) == []


@pytest.mark.parametrize("text", ["", "{", "7", '[{"unit": "x"}]', '[{"unit": "x", "first": "a", "second": "b", "scores": {}}]',
    '[{"unit": "x", "first": 1, "second": 0, "scores": {"0": 7}}]', '[{"unit": "x", "first": 1, "second": 0, "scores": {"one": 1}}]',
    '[{"unit": "x", "first": 1, "second": 0, "scores": [1]}]',
])  # fmt: skip
def test_a_damaged_file_is_named(tmp_path: Path, text: str) -> None:
    (tmp_path / "rated-16.json").write_text(text)
    with pytest.raises(RunError, match="rated-16.json' is not what tengen wrote"):
        rated.read(tmp_path, 16)


class Counting(Here):
    """Does units in this process, made up; ends after so many."""

    done: list[Unit] = []
    left = 10**6

    def __init__(self) -> None:
        super().__init__(self._do)

    def _do(self, unit: Unit) -> Mapping[str, Any]:
        if Counting.left == 0:
            raise KeyboardInterrupt
        Counting.left -= 1
        Counting.done.append(unit)
        return made_up_run.work(unit)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A made-up run of four networks."""
    monkeypatch.setattr(choice, "executor_of", lambda wire, work, workers: Counting())
    Counting.done, Counting.left = [], 10**6
    made_up_run.sit(tmp_path / "run", **{"gate.games": 0, "anchor.every": 0})
    return tmp_path / "run"


def test_the_command_plays_prints_and_goes_on(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rate = ["train", "rate", str(folder), "--games", "80", "--far-games", "1", "--networks", "4", "--visits", "7"]
    Counting.left = 2
    assert cli.main(rate) == 130
    assert capsys.readouterr().out == ""
    assert len(rated.read(folder, 7)) == 2
    before, Counting.left = look(folder), 10**6
    assert cli.main(rate) == 0
    assert look(folder) == before, "the run itself stays as it was"
    assert len(Counting.done) == len({unit.name for unit in Counting.done}) == 3 * 2 + 3, "forties of games"
    seeds = {unit.facts["seed"] for unit in Counting.done}
    assert len(seeds) == 6 and {unit.facts["visits"] for unit in Counting.done} == {7}, "each pair has its openings"
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "made-up: 7 visits a move, 80 games of neighbours, 40 of all others"
    assert [line.split()[0] for line in lines[1:]] == ["generation", "0", "1", "2", "3"] and "%" in lines[3]
    assert cli.main(rate) == 0 and len(Counting.done) == 9 and capsys.readouterr().out.splitlines() == lines
    assert cli.main([*rate[:-1], "8"]) == 0 and len(Counting.done) == 18, "other visits are other ratings"
    assert rated.rated_at(folder) == [7, 8]


def test_the_games_of_a_pair_are_the_same_in_any_choice(folder: Path) -> None:
    for networks in ("2", "4"):
        assert (
            cli.main(["train", "rate", str(folder), "--games", "40", "--far-games", "40", "--networks", networks]) == 0
        )
    facts = {(unit.facts["first"], unit.facts["second"]) for unit in Counting.done}
    assert len(facts) == len(Counting.done) == len(list(itertools.combinations(range(4), 2)))


def test_the_report_shows_ratings(folder: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    monkeypatch.setattr(report, "calibrated", lambda folder, found: [])
    monkeypatch.setattr(report, "likings", lambda folder, found: [])
    assert "Rated with" not in report.build(folder).read_text("utf-8")
    assert cli.main(["train", "rate", str(folder), "--games", "40", "--visits", "5"]) == 0
    assert "Rated with 5 visits a move" in report.build(folder).read_text("utf-8")
    assert tmp_path / "plots" / "rated-5.svg" in report.draw(folder, tmp_path / "plots")


def test_a_network_that_was_changed_is_told(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = folder / look(folder).networks[0].file.path
    path.write_text("another")
    assert cli.main(["train", "rate", str(folder)]) == 2
    assert "is not what the run wrote" in capsys.readouterr().err


def test_two_ratings_of_a_run_do_not_overwrite_each_other(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with locked(folder / LOCK, "this test"):
        assert cli.main(["train", "rate", str(folder)]) == 2
    assert (
        "a rating of the run 'made-up' is at work in another process" in capsys.readouterr().err and not Counting.done
    )


@pytest.mark.parametrize("option", ["--games", "--far-games", "--networks", "--until", "--visits"])
def test_what_only_a_rating_looks_at_is_refused_elsewhere(option: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["train", "go", option, "20"]) == 2
    assert f"{option} is for 'tengen train rate NAME' alone" in capsys.readouterr().err
