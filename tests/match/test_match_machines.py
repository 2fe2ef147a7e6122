"""Matches on the machines of a cluster: the same games as here, each once, whatever is lost on the way."""

from __future__ import annotations

import json
import os
import shlex
import signal
from collections.abc import Callable, Hashable
from pathlib import Path

import pytest
from fakes.wire import MadeUpWire

from tengen.engine.config import Config, ConfigError
from tengen.tools import cli
from tengen.tools.executors import node, ray_wire
from tengen.tools.match.own import __main__ as own
from tengen.tools.match.own.match import play
from tengen.tools.match.own.remote import by_machines
from tengen.tools.match.own.sides import Match
from tengen.tools.match.run import store
from tengen.tools.match.settings.engine import networks

TWO = ["--engine", "name=a", "player=rollout", "playouts=2", "seed=1", "--engine", "name=b", "player=random", "seed=2"]
RAY = ["--executor", "ray", "--address", "head:6379"]


@pytest.fixture(autouse=True)
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(node, "cache_folder", lambda: tmp_path / "kept")


@pytest.fixture
def cluster(monkeypatch: pytest.MonkeyPatch) -> Callable[[MadeUpWire], list[str]]:
    """Puts a cluster where Ray's would be; the addresses that were asked for."""
    asked: list[str] = []

    def put(wire: MadeUpWire) -> list[str]:
        monkeypatch.setattr(ray_wire, "RayWire", lambda address: (asked.append(address), wire)[1])
        return asked

    return put


def test_a_match_is_played_by_other_machines(
    cluster: Callable[[MadeUpWire], list[str]], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    wire = MadeUpWire(losses={"000001-0": 2, "000002-1": 1})
    asked = cluster(wire)
    here, there = tmp_path / "here", tmp_path / "there"
    words = [*TWO, "--game", "gomoku", "--size", "7", "--games", "6", "--seed", "3"]
    assert cli.main(["match", *words, "--out", str(here)]) == 0
    assert cli.main(["match", *words, *RAY, "--json", "--out", str(there)]) == 0
    assert asked == ["head:6379"] and wire.is_closed
    assert sorted(wire.sent) == ["000001-0"] * 3 + ["000002-1"] * 2 + ["000003-2"], "a pair is a unit"
    one, other = (
        {row.id: (row.first, row.opening, row.seed, row.result != "*") for row in store.read(folder)}
        for folder in (here, there)
    )
    assert one == other and len(other) == 6 == len(store.read(there)), "the same games, each once"
    assert len(store.read_sessions(there)) == 1, "the machine is known, once"
    assert sorted(path.name for path in there.iterdir()) == sorted(path.name for path in here.iterdir())
    assert len(list((there / "games").iterdir())) == 6
    assert not {"executor", "address"} & set(store.read_table(there)), "a run does not depend on who plays it"
    capsys.readouterr()
    assert cli.main(["match", "--out", str(there), "--games", "8", *RAY, "--json"]) == 0, "and it goes on"
    events = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [event["event"] for event in events] == ["game", "game", "end"] and len(store.read(there)) == 8


@pytest.mark.slow
def test_an_interrupted_match_goes_on_by_the_line_that_it_says(
    cluster: Callable[[MadeUpWire], list[str]], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    class Interrupted(MadeUpWire):
        def fetch(self, job: Hashable) -> node.Delivery:
            if len(self.sent) == 3:
                os.kill(os.getpid(), signal.SIGINT)
            return super().fetch(job)

    wire, out = Interrupted(cores=(1,)), tmp_path / "out"
    cluster(wire)
    assert cli.main(["match", *TWO, "--size", "5", "--games", "40", *RAY, "--out", str(out)]) == 130
    line = capsys.readouterr().err.splitlines()[-1]
    assert line == f"interrupted; go on with: tengen match --out {out} --executor ray --address head:6379"
    assert 4 <= len(before := store.read(out)) < 40 and wire.is_closed
    cluster(MadeUpWire())
    assert cli.main(shlex.split(line.partition("tengen ")[2])) == 0
    assert store.read(out)[: len(before)] == before and len(store.read(out)) == 40


def test_an_engine_that_another_machine_lacks(
    cluster: Callable[[MadeUpWire], list[str]], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    cluster(MadeUpWire())
    engines = ["--engine", "name=a", "player=random", "--engine", "name=b", "command=/nowhere/engine"]
    code = cli.main(["match", *engines, "--size", "5", "--games", "2", *RAY, "--out", str(tmp_path / "out")])
    assert code == 1
    assert "stayed void: on " in (said := capsys.readouterr().err) and "Traceback" not in said


MISTAKES = [
    # words, what is said
    (["--address", "head:6379"], "--address is the cluster of --executor ray: give both"),
    (["--executor", "rays"], "there is no executor 'rays' (did you mean 'ray'?)"),
    ([*RAY, "--each", "threads=9"], "no machine of the cluster has the 9 cores that an engine searches with"),
    ([*RAY, "--each", "net=auto"], "net=auto may be another network on every machine"),
]


@pytest.mark.parametrize(("words", "said"), MISTAKES, ids=lambda case: str(case)[:40])
def test_mistakes_are_one_sentence(
    words: list[str],
    said: str,
    cluster: Callable[[MadeUpWire], list[str]],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    wire = MadeUpWire(cores=(2, 4))
    cluster(wire)
    assert cli.main(["match", *TWO, "--size", "5", "--games", "2", "--out", str(tmp_path / "out"), *words]) == 2
    err = capsys.readouterr().err
    assert said in err and "Traceback" not in err
    assert not wire.sent


def test_our_own_players_play_elsewhere() -> None:
    match = Match(Config(player="rollout", playouts=4), Config(player="random"), games=4, size=5)
    wire = MadeUpWire(losses={"0000002": 1})
    here = play(match)
    with by_machines(wire) as hands:
        there = play(match, hands, here[:1])
    assert [game._replace(cpu=(0, 0)) for game in there] == [game._replace(cpu=(0, 0)) for game in here]
    assert wire.sent == ["0000001", "0000002", "0000003", "0000002"] and wire.is_closed, (
        "what is done is not played again"
    )


def test_the_command_of_our_own_players(
    cluster: Callable[[MadeUpWire], list[str]],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    cluster(MadeUpWire())
    sides = ["--a", "player=rollout,playouts=2", "--b", "player=random", "--size", "5", "--games", "4"]
    monkeypatch.setattr("sys.argv", ["own", *sides, *RAY, "--out", str(tmp_path / "games.jsonl")])
    assert own.main() == 0
    capsys.readouterr()
    numbers = [json.loads(line)["number"] for line in (tmp_path / "games.jsonl").read_text().splitlines()[1:]]
    assert sorted(numbers) == [0, 1, 2, 3]


def test_networks_are_told_with_their_cards(tmp_path: Path) -> None:
    net = tmp_path / "a.onnx"
    net.write_text("weights")
    net.with_suffix(".toml").write_text("card")
    assert sorted(networks(str(net), None, "none")) == [str(net), str(net.with_suffix(".toml"))]
    with pytest.raises(ConfigError, match="give net=FILE"):
        networks("auto")
