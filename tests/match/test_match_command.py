"""`tengen match` and `tengen tournament` as a person types them: what is refused, what is played, what goes on."""

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

from tengen.tools import cli
from tengen.tools.match import command
from tengen.tools.match.run import store
from tengen.tools.match.run.seats import file_names
from tengen.tools.match.settings.engine import engine, engine_table
from tengen.tools.match.settings.table import load, run_spec

Run = Callable[..., subprocess.CompletedProcess[str]]

TWO = ["--engine", "name=a", "player=random", "--engine", "name=b", "player=random"]
SMALL = [*TWO, "--game", "go", "--size", "5"]

# The words after `tengen match`, and a part of the one sentence.
MISTAKES = """
| give two engines, there is none: a player of ours by --player uct, any program by --engine command='...'
--game go | give two engines, there is none
--player uct | give two engines, there is only one
--player uct --player rollout --player random | a match has two engines, not 3: use 'tengen tournament'
--player uct --player uct | two engines are called 'uct'
--player uct --player ucd | no player 'ucd' (did you mean 'uct'?); it has uct, rollout, random
--player uct --player foo | go has no player 'foo'; it has uct, rollout, random
--player uct --player rollout --rules renju --out x | Unknown rules 'renju': that is one of gomoku (--game gomoku); go has chinese,
--player uct --engine name=b cmd=b time=x --out x | engine 'b': time must be a number from 0.001 to 1000000, not 'x'
--game reversi --player uct --engine name=b cmd=b proto=nboard --each time=1 --out x | engine 'b': time: cannot be told over nboard (give a clock, tc=60)
--player uct --player rollout | give --out DIR
--player uct --player rollout --game chss --out x | game: 'chss' is none of go, gomoku, reversi, chess (did you mean 'chess'?)
--player uct --player rollout --size 26 | 26 is not between 1 and 25
--player uct --player rollout --game reversi --size 9 --out x | there is no reversi on 9x9
--player uct --player rollout --game gomoku --komi 3 --out x | gomoku has none
--player uct --player rollout --rules chinees --out x | Unknown rules 'chinees'
--player uct --player rollout --games 7 --out x | must be even
--player uct --player rollout --tc soon --out x | 'soon' is no time control
--player uct --player rollout --sprt elo0=5 elo1=0 --out x | elo0 (5) is not below elo1 (0)
--player uct --player rollout --sprt elo0=5 --out x | elo1 is missing
--player uct --player rollout --sprt elo2=5 --out x | 'sprt.elo2' (did you mean
--player uct --player rollout --adjudicate resign=5 --out x | 'adjudication.resign' (did you mean 'resign
--player uct --player rollout --openings nowhere.sgf --out x | cannot read the openings 'nowhere.sgf'
--player uct --engine name=arbiter cmd=b --cleanup arbiter --arbiter cmd=c --out x | two engines are called 'arbiter'
--player uct --player rollout --cleanup arbiter --out x | belong together
--player uct --engine name=b cmd=b playout=3 --out x | engine 'b': unknown setting 'playout'
--player uct --engine name=b player=uct playout=3 --out x | unknown setting 'playout' (did you mean 'playouts'?)
--player uct --engine name=b cmd=b proto=xboard --out x | 'xboard' is no protocol
--player uct --engine name=b --out x | give a command, or a player of ours
--player uct --engine b --out x | 'b' is not of the form name=value
--player uct --engine name=b player=uct level=11 --out x | engine 'b': level: the player 'uct' of go has no level 11; it has 1, 2
--player uct --engine name=b player=uct mcts.c=x --out x | engine 'b': mcts.c must be a number from 0 to 10, not 'x'
--player uct --engine name=b player=uct mcts.d=1 --out x | engine 'b': unknown option 'mcts.d' (did you mean 'mcts.c'?)
--player uct --engine name=b player=uct cpus=x --out x | cpus: 'x' is not of the form 0-3,6
--player uct --engine name=b cmd=b option.Hash=64 --out x | engine 'b': option: cannot be told over gtp
--player uct --engine name=b cmd=b depth=3 --out x | engine 'b': depth: cannot be told over gtp
--game reversi --player uct --engine name=b cmd=b proto=nboard nodes=3 --out x | nodes: cannot be told over nboard
--player uct --engine name=b cmd=b mcts.c=1 --out x | engine 'b': 'mcts.c' is a setting of our players
--player uct --engine name=b player=uct cpus=3-1 --out x | cpus: '3-1' is not of the form 0-3,6
--player uct --player rollout --adjudicate resign_moves=3 resign_score=0.95 --out x | resign_score must be a number from -1 to -0.01, not '0.95'
--player uct --player rollout --adjudicate resign_moves=three --out x | resign_moves must be a whole number from 1 to 1000, not 'three'
--player uct --player rollout --adjudicate draw_score=0.1 --out x | draw_score does nothing without draw_moves
--player uct --player rollout --sprt elo0=0 elo1=inf --out x | elo1 must be a number from -2000 to 2000, not 'inf'
--player uct --player rollout --sprt elo0=0 elo1=300 --out x | elo1 (300) is more than normalized Elo can hold; choose one from -200 to 200
--player uct --player rollout --sprt elo0=0 elo1=9 alpha=1 --out x | alpha and beta must lie between 0 and 0.5
--player uct --player rollout --sprt elo0=nan elo1=9 --out x | elo0 must be a number from -2000 to 2000, not 'nan'
--player uct --player rollout --sprt elo0=zero elo1=9 --out x | elo0 must be a number from -2000 to 2000, not 'zero'
--player uct --player rollout --komi nan --out x | komi must be a number from -10000 to 10000, not 'nan'
--player uct --player rollout --tc 0+1 --out x | no time for the first move
--player uct --player rollout --tc move=0 --out x | no time for the first move
--player uct --player rollout --transform --out x | transform: the random openings have no images
--player uct --player rollout --game gomoku --cleanup none --out x | gomoku has no dead stones
--player uct --player rollout --game reversi --plies 100 --out x | random openings of 100 moves end the game
--game chess --engine name=a cmd=a --engine name=b cmd=b --size 9 --out x | size: chess has none
--config nowhere.toml | cannot read 'nowhere.toml'
--out nowhere | 'nowhere' is no folder of a match
--concurency 3 | unknown option --concurency (did you mean '--concurrency'?)
reprot x | is no action
report nowhere | 'nowhere'
"""


@pytest.mark.parametrize("row", MISTAKES.strip().splitlines())
def test_mistakes_are_one_sentence(
    row: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    words, _, sentence = f" {row}".partition(" | ")
    monkeypatch.chdir(tmp_path)
    assert cli.main(["match", *words.split()]) == 2
    out, err = capsys.readouterr()
    assert sentence in err and err.count("\n") == 1 and not out
    assert not list(tmp_path.iterdir())


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


def test_the_order_of_the_flags_is_that_of_the_engines(tengen: Run) -> None:
    """Elo and the test are of the first one."""
    words = ["--player", "uct", "--engine", "name=b", "player=random", "--player", "rollout"]
    shown = tengen("tournament", "--game", "go", "--size", "5", *words, "--dry-run").stdout.splitlines()
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


def test_our_players_know_the_rules() -> None:
    """GTP cannot tell those of Gomoku: an engine that does not know them loses by forbidden moves."""
    run = run_spec({"game": "gomoku", "rules": "renju", "engine": [{"player": "uct"}, {"name": "b", "player": "uct"}]})
    assert all(row.command[-2:] == ("--rules", "renju") for row in run.engines)


def test_a_match_is_played_and_goes_on(tengen: Run, tmp_path: Path) -> None:
    folder = str(tmp_path / "run")
    first = tengen("match", *SMALL, "--games", "4", "--out", folder, "--json")
    assert first.returncode == 0, first.stderr
    rows = [json.loads(line) for line in first.stdout.splitlines()]
    assert [row["event"] for row in rows] == ["game"] * 4 + ["end"] and rows[-1]["played"] == 4
    again = tengen("match", *SMALL, "--games", "4", "--out", folder)
    assert again.returncode == 0 and "4 of 4 games are there" in again.stderr
    more = tengen("match", "--out", folder, "--games", "6")
    assert more.returncode == 0, more.stderr
    assert "of 6 (+" in more.stdout and len(store.read(folder)) == 6
    other = tengen("match", *SMALL, "--games", "4", "--seed", "2", "--out", folder)
    assert other.returncode == 2 and "holds another match (seed is 1, not 2)" in other.stderr
    frozen = store.read_table(folder)
    assert {"size", "rules", "seed", "order"} <= set(frozen)  # a later release may have other defaults
    assert len(list((tmp_path / "run" / "games").glob("*.sgf"))) == 6
    assert sorted(path.name for path in (tmp_path / "run" / "logs").iterdir()) == ["a-1.log", "b-1.log"]


def test_a_file_may_say_where_and_how(tengen: Run, tmp_path: Path) -> None:
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
    found = tengen("match", "--config", str(config))
    assert found.returncode == 1, found.stderr  # strict
    assert [json.loads(line)["event"] for line in found.stdout.splitlines()] == ["game", "game", "end"]
    assert {"out", "json", "strict"}.isdisjoint(store.read_table(out))


@pytest.mark.parametrize(("words", "events"), [(["check"], ["check", "check"]), (["--dry-run"], ["plan"])])
def test_json_is_all_that_stdout_has(tengen: Run, words: list[str], events: list[str]) -> None:
    found = tengen("match", *words, *SMALL, "--json")
    assert [json.loads(line)["event"] for line in found.stdout.splitlines()] == events


def test_a_tournament_has_fewer_rounds_than_numbers(tengen: Run) -> None:
    words = [*SMALL, "--engine", "name=c", "player=random", "--games", "200000", "--dry-run"]
    found = tengen("tournament", *words)
    assert found.returncode == 2 and "fewer than 200000" in found.stderr
    found = tengen("tournament", *SMALL, "--seeds", "1", "--dry-run")
    assert found.returncode == 2 and "only a gauntlet" in found.stderr


def test_check_starts_the_arbiter(tengen: Run) -> None:
    words = ["--cleanup", "arbiter", "--arbiter", f"cmd={sys.executable} -S {FAKE} gtp"]
    found = tengen("match", "check", *SMALL, *words)
    assert found.returncode == 1 and "arbiter: cannot name the dead stones" in found.stdout


def test_check_tells_who_plays(tengen: Run) -> None:
    good = tengen("match", "check", *SMALL)
    assert good.returncode == 0 and good.stdout.count("Tengen ") == 2 and good.stdout.count("played") == 2
    bad = tengen("match", "check", "--player", "random", "--engine", "name=no", "cmd=/no/such/engine", "proto=gtp")
    assert bad.returncode == 1 and "no: cannot be started" in bad.stdout


def test_an_engine_that_cannot_be_started_ends_the_run(tengen: Run, tmp_path: Path) -> None:
    words = ["--player", "random", "--engine", "name=no", "cmd=/no/such/engine", "--out", str(tmp_path / "run")]
    found = tengen("match", *words)
    assert found.returncode == 1 and not found.stdout
    assert "stopped before the first game: no cannot be started: No such file" in found.stderr
    assert not (tmp_path / "run").exists()


def test_a_tournament_grows(tengen: Run, tmp_path: Path) -> None:
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
    first = tengen("tournament", *words)
    assert first.returncode == 0, first.stderr
    before = store.read(folder)
    more = tengen("tournament", *words, "--engine", "name=three", "player=random", "--concurrency", "2")
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
