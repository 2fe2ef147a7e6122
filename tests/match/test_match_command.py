"""`tengen match` and `tengen tournament` as a person types them: what is played, what goes on."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from match_games import FAKE

from tengen.engine.config import ConfigError
from tengen.tools import cli
from tengen.tools.match import command
from tengen.tools.match.run import store
from tengen.tools.match.run.seats import file_names
from tengen.tools.match.settings.engine import engine, engine_table
from tengen.tools.match.settings.table import load, run_spec

Run = Callable[..., subprocess.CompletedProcess[str]]

TWO = ["--engine", "name=a", "player=random", "--engine", "name=b", "player=random"]
SMALL = [*TWO, "--game", "go", "--size", "5"]


def test_dry_run_says_what_would_be_played(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    words = ["--player", "uct", "--engine", "name=g", "cmd=gnugo --mode gtp", "tc=60", "--tc", "move=1", "--games", "6"]
    assert cli.main(["match", *words, "--dry-run", "--sprt", "elo0=0", "elo1=10", "--concurrency", "1000"]) == 0
    out, err = capsys.readouterr()
    assert "go 9x9 tromp-taylor komi 7" in out and "6 games, 1000 at a time" in out and "3 openings" in out
    assert "g: gtp, time 60, gnugo --mode gtp" in out and "uct: gtp, time move=1, " in out
    assert "SPRT [0, 10] normalized, LLR -2.94 to 2.94" in out
    assert err.startswith("warning: 1000 games at a time")
    assert not list(tmp_path.iterdir())


def test_flags_and_toml_make_the_same_run(tmp_path: Path) -> None:
    (tmp_path / "run.toml").write_text(
        """
        game = "gomoku"
        tc = "turn=1/match=60"
        sprt = { elo0 = 0, elo1 = 10 }
        each = { playouts = 10, memory = 64 }

        [[engine]]
        name = "a"
        player = "uct"
        set = { "mcts.c" = 0.4 }

        [[engine]]
        name = "b"
        command = ["pbrain-b", "a b"]
        protocol = "gomocup"
        env = { X = 1 }
        init = ["INFO x 1"]
        cpus = "0-1,3"
        """
    )
    spec = run_spec(load(tmp_path / "run.toml"))
    a, b = spec.engines
    assert run_spec({**load(tmp_path / "run.toml"), "engine": [{"name": "a", "player": "uct", "set": {"mcts.c": 0.4}},
        {"name": "b", "cmd": ["pbrain-b", "a b"], "proto": "gomocup", "env": {"X": 1}, "init": ["INFO x 1"],
         "cpus": "0-1,3"}]}) == spec  # fmt: skip
    assert a.command[1:] == (
        *"-m tengen.tools gtp --game gomoku --player uct --threads 1 --playouts 10 --memory 64 --set mcts.c=0.4".split(),
    )
    assert (b.command, b.protocol, b.env, b.init) == (("pbrain-b", "a b"), "gomocup", {"X": "1"}, ("INFO x 1",))
    assert b.cpus == (0, 1, 3)
    chess = engine({"command": "c", "option": {"Hash": 16, "Ponder": False}}, "chess")
    assert (chess.protocol, chess.options) == ("uci", {"Hash": "16", "Ponder": "false"})
    own = {"player": "alphabeta"}
    bounds = [
        ({"playouts": 9}, 9, None),
        ({"level": 3}, 2**53, None),
        ({"time": 2}, None, 2.0),
        ({}, None, 5.0),
        ({"depth": 3}, None, None),
    ]
    for more, nodes, seconds in bounds:  # a bare "go" has no end
        found = engine({**own, **more}, "chess")
        assert (found.nodes, found.time and found.time.movetime) == (nodes, seconds)
    assert engine(own, "chess", has_clock=True).time is None
    with pytest.raises(ConfigError, match="chess has no player 'uct'"):
        engine({"player": "uct"}, "chess")
    words = [
        "name=b",
        "command=pbrain-b 'a b'",
        "protocol=gomocup",
        "env.X=1",
        "init=INFO x 1",
        "cpus=0-1,3",
    ]
    flags = {"game": "gomoku", "tc": "turn=1/match=60", "sprt": engine_table(["elo0=0", "elo1=10"]), "each": engine_table(["playouts=10", "memory=64"]),
             "engine": [engine_table(["name=a", "player=uct", "mcts.c=0.4"]), engine_table(words)]}  # fmt: skip
    assert run_spec(flags) == spec


def test_the_order_of_the_flags_is_that_of_the_engines(called: Run) -> None:
    """Elo and the test are of the first one."""
    words = ["--player", "uct", "--engine", "name=b", "player=random", "--player", "rollout"]
    shown = called("tournament", "--game", "go", "--size", "5", *words, "--dry-run").stdout.splitlines()
    assert [line.partition(":")[0] for line in shown[1:4]] == ["uct", "b", "rollout"]


def test_a_limit_that_nboard_cannot_tell_is_a_warning() -> None:
    row = {"player": "uct", "protocol": "nboard"}
    for control, count in (("move=1", 2), ("60", 0)):
        run = run_spec({"game": "reversi", "tc": control, "engine": [{"name": "a", **row}, {"name": "b", **row}]})
        assert sum("NBoard" in line for line in command.warnings(run)) == count


def test_every_engine_has_its_own_log() -> None:
    names = file_names(["a b", "a/b", "../a", "A b", "\u65e5", "\u672c"])
    assert list(names.values()) == ["a_b", "a_b.2", "_a", "A_b.4", "_", "_.6"]
    assert len(set(file_names(["a_b.3", "a_b", "a b", "a/b"]).values())) == 4


@pytest.mark.parametrize(
    ("settings", "net"), [({}, "none"), ({"net": "auto"}, "auto"), ({"net": "a.bin.gz"}, "a.bin.gz")]
)
def test_a_network_is_named_or_none(settings: dict[str, str], net: str) -> None:
    """What lies on a machine decides no match."""
    run = run_spec({"game": "go", "engine": [{"player": "puct", **settings}, {"name": "b", "player": "uct"}]})
    words = run.engines[0].command
    assert words[words.index("--net") + 1] == net and "--net" not in run.engines[1].command


def test_our_players_know_the_rules() -> None:
    """GTP cannot tell those of Gomoku: an engine that does not know them loses by forbidden moves."""
    run = run_spec({"game": "gomoku", "rules": "renju", "engine": [{"player": "uct"}, {"name": "b", "player": "uct"}]})
    assert all(row.command[-2:] == ("--rules", "renju") for row in run.engines)


def test_a_match_is_played_and_goes_on(tengen: Run, called: Run, tmp_path: Path) -> None:
    folder = str(tmp_path / "run")
    first = tengen("match", *SMALL, "--games", "4", "--out", folder, "--json")
    assert first.returncode == 0, first.stderr
    rows = [json.loads(line) for line in first.stdout.splitlines()]
    assert [row["event"] for row in rows] == ["game"] * 4 + ["end"] and rows[-1]["played"] == 4
    again = called("match", *SMALL, "--games", "4", "--out", folder)
    assert again.returncode == 0 and "4 of 4 games are there" in again.stderr
    more = called("match", "--out", folder, "--games", "6")
    assert more.returncode == 0, more.stderr
    assert "of 6 (+" in more.stdout and len(store.read(folder)) == 6
    other = called("match", *SMALL, "--games", "4", "--seed", "2", "--out", folder)
    assert other.returncode == 2 and "holds another match (seed is 1, not 2)" in other.stderr
    frozen = store.read_table(folder)
    assert {"size", "rules", "seed", "order"} <= set(frozen)  # a later release may have other defaults
    assert len(list((tmp_path / "run" / "games").glob("*.sgf"))) == 6
    assert sorted(path.name for path in (tmp_path / "run" / "logs").iterdir()) == ["a-1.log", "b-1.log"]


def test_a_file_may_say_where_and_how(called: Run, tmp_path: Path) -> None:
    out = tmp_path / "run"
    config = tmp_path / "run.toml"
    config.write_text(f"""
        out = "{out}"
        json = true
        strict = true
        game = "go"
        size = 5
        games = 2
        [[engine]]
        name = "a"
        player = "random"
        [[engine]]
        name = "b"
        command = "{sys.executable} -S {FAKE} gtp --fault illegal"
        """)
    found = called("match", "--config", str(config))
    assert found.returncode == 1, found.stderr  # strict
    assert [json.loads(line)["event"] for line in found.stdout.splitlines()] == ["game", "game", "end"]
    assert {"out", "json", "strict"}.isdisjoint(store.read_table(out))


@pytest.mark.parametrize(("words", "events"), [(["check"], ["check", "check"]), (["--dry-run"], ["plan"])])
def test_json_is_all_that_stdout_has(called: Run, words: list[str], events: list[str]) -> None:
    found = called("match", *words, *SMALL, "--json")
    assert [json.loads(line)["event"] for line in found.stdout.splitlines()] == events


def test_a_tournament_has_fewer_rounds_than_numbers(called: Run) -> None:
    words = [*SMALL, "--engine", "name=c", "player=random", "--games", "200000", "--dry-run"]
    found = called("tournament", *words)
    assert found.returncode == 2 and "fewer than 200000" in found.stderr
    found = called("tournament", *SMALL, "--seeds", "1", "--dry-run")
    assert found.returncode == 2 and "only a gauntlet" in found.stderr


def test_check_starts_the_arbiter(called: Run) -> None:
    words = ["--cleanup", "arbiter", "--arbiter", f"cmd={sys.executable} -S {FAKE} gtp"]
    found = called("match", "check", *SMALL, *words)
    assert found.returncode == 1 and "arbiter: cannot name the dead stones" in found.stdout


@pytest.mark.parametrize(("kind", "count"), [("match", 3), ("tournament", 1)])
def test_check_takes_any_number_of_engines(called: Run, kind: str, count: int) -> None:
    players = [word for number in range(count) for word in ("--engine", f"name=e{number}", "player=random")]
    found = called(kind, "check", "--game", "gomoku", *players)
    assert found.returncode == 0 and found.stdout.count("played ") == count, found.stderr
    assert called(kind, "check", "--game", "gomoku").returncode == 2


def test_check_tells_who_plays(tengen: Run, called: Run) -> None:
    good = tengen("match", "check", *SMALL)
    assert good.returncode == 0 and good.stdout.count("Tengen ") == 2 and good.stdout.count("played") == 2
    bad = called("match", "check", "--player", "random", "--engine", "name=no", "cmd=/no/such/engine", "proto=gtp")
    assert bad.returncode == 1 and "no: cannot be started" in bad.stdout


def test_an_engine_that_cannot_be_started_ends_the_run(called: Run, tmp_path: Path) -> None:
    words = ["--player", "random", "--engine", "name=no", "cmd=/no/such/engine", "--out", str(tmp_path / "run")]
    found = called("match", *words)
    assert found.returncode == 1 and not found.stdout
    assert "stopped before the first game: no cannot be started: No such file" in found.stderr
    assert not (tmp_path / "run").exists()


def test_a_tournament_grows(called: Run, tmp_path: Path) -> None:
    folder = str(tmp_path / "run")
    words = [
        "--player",
        "random",
        "--engine",
        "name=two",
        "player=random",
        "--game",
        "reversi",
        "--games",
        "2",
        "--out",
        folder,
    ]
    first = called("tournament", *words)
    assert first.returncode == 0, first.stderr
    before = store.read(folder)
    more = called("tournament", *words, "--engine", "name=three", "player=random", "--concurrency", "2")
    assert more.returncode == 0, more.stderr
    results = store.read(folder)
    assert results[:2] == before and len(results) == 6
    assert {"random", "two", "three"} == {row.first for row in results}
    assert "Elo (95 %)" in more.stdout and "three" in more.stdout
    assert len(list((tmp_path / "run" / "games").glob("*.ggf"))) == 6


@pytest.mark.skipif(os.name == "nt", reason="signals")
def test_a_killed_match_goes_on_with_what_it_told(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    command = [sys.executable, "-m", "tengen.tools", "match", *SMALL, "--games", "200", "--out", str(folder), "--json"]
    told: set[str] = set()
    for _ in range(3):
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        assert process.stdout is not None
        lines = [process.stdout.readline() for _ in range(3)]
        process.kill()
        lines += process.stdout.read().splitlines()
        process.wait()
        process.stdout.close()
        new = {json.loads(line)["id"] for line in lines if line.endswith(("}", "}\n"))}
        assert new and not new & told
        told |= new
        ids = [row.id for row in store.read(folder)]
        assert told <= set(ids) and len(ids) == len(set(ids))


@pytest.mark.skipif(os.name == "nt", reason="signals")
def test_an_interrupted_match_says_how_to_go_on(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    command = [sys.executable, "-m", "tengen.tools", "match", *SMALL, "--games", "2000", "--out", str(folder), "--json"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout is not None
    process.stdout.readline()
    process.send_signal(signal.SIGINT)
    begin = time.monotonic()
    _, err = process.communicate(timeout=60)
    assert process.returncode == 130 and time.monotonic() - begin < 10
    assert f"go on with: tengen match --out {folder}" in err and "Traceback" not in err
