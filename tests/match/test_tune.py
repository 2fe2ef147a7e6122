"""`tengen tune`: a bad value that is improved, a killed run that goes on, mistakes, what is written."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from argparse import Namespace
from collections.abc import Callable
from pathlib import Path

import pytest

from tengen.engine.config import Config, load
from tengen.engine.games import get_game
from tengen.engine.search import make_search
from tengen.tools import cli
from tengen.tools.arguments import Parser
from tengen.tools.match.statistics.tally import Tally
from tengen.tools.tune import command, report

Tengen = Callable[..., subprocess.CompletedProcess[str]]
QUICK = (
    "--player",
    "rollout",
    "--size",
    "5",
    "--playouts",
    "20",
    "--pairs",
    "2",
    "--options",
    "mcts.c,mcts.expand_visits=1:20",
)


def arguments(*words: str) -> Namespace:
    parser = Parser(prog="tengen tune")
    command.configure(parser)
    return parser.parse_strictly(words)


@pytest.mark.slow
def test_a_planted_bad_value_is_improved(tmp_path: Path, tengen: Tengen) -> None:
    """UCT that explores without end: no knowledge of the result is used."""
    out = tmp_path / "out.toml"
    done = tengen(
        "tune", "--player", "rollout", "--size", "5", "--set", "mcts.c=10", "--options", "mcts.c", "--playouts", "60",
        "--games", "480", "--verify", "100", "--pairs", "12", "--step", "0.3", "--jobs", "2", "--out", str(out),
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    config = load(out)
    assert (config.game, config.player) == ("go", "rollout") and config.set["mcts.c"] < 3
    assert "stronger" in done.stdout and "not shown" not in done.stdout, done.stdout
    assert "mcts.c          10 ->" in done.stdout and done.stderr.count("/20 ") == 20
    assert out.read_text().count("# ") == 2 and "100 games" in out.read_text()


def test_a_killed_run_goes_on(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["tune", *QUICK, "--games", "36", "--verify", "4", "--seed", "7"]
    whole, killed = tmp_path / "whole.toml", tmp_path / "killed.toml"
    assert cli.main([*words, "--out", str(whole)]) == 0
    process = subprocess.Popen(
        [sys.executable, "-m", "tengen.tools", *words, "--out", str(killed)],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    state = tmp_path / "killed.toml.state"
    for _ in range(1000):
        if state.exists() and state.read_text().count("\n") > 3:
            break
        time.sleep(0.01)
    process.kill()
    process.wait()
    known = state.read_text().count("\n") - 1
    assert 2 < known < 13
    state.write_text(state.read_text() + '{"iteration": 5, "sc')
    capsys.readouterr()
    assert cli.main([*words, "--jobs", "2", "--out", str(killed)]) == 0
    done = capsys.readouterr()
    assert f"going on after {known} results" in done.err
    assert load(killed).set == load(whole).set and set(load(whole).set) == {"mcts.c", "mcts.expand_visits"}
    rows = [json.loads(line) for line in state.read_text().splitlines()]
    assert len(rows) == 1 + 9 + 4 and [row["iteration"] for row in rows[1:10]] == list(range(9))
    assert cli.main([*words, "--out", str(killed)]) == 0
    assert capsys.readouterr().out == done.out  # nothing left to play
    assert cli.main([*words, "--rate", "2", "--out", str(killed)]) == 2
    assert "belongs to another run" in capsys.readouterr().err


def test_an_interrupt_says_how_to_go_on(tmp_path: Path) -> None:
    out = tmp_path / "out.toml"
    process = subprocess.Popen(
        [sys.executable, "-m", "tengen.tools", "tune", *QUICK, "--games", "4000", "--jobs", "2", "--out", str(out)],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    for _ in range(6000):
        if (tmp_path / "out.toml.state").exists() and (tmp_path / "out.toml.state").read_text().count("\n") > 2:
            break
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    output, errors = process.communicate(timeout=20)
    assert process.returncode == 130, errors
    assert output == "" and not out.exists()
    assert errors.endswith("stopped; the same command goes on from here\n") and "Traceback" not in errors


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ((), "required"),
        (("--options", "mcts.c", "--out", "x.toml"), "nothing bounds a move"),
        (("--options", "mcts.d", "--playouts", "9", "--out", "x.toml"), "no option is called 'mcts.d'"),
        (("--options", " , ", "--playouts", "9", "--out", "x.toml"), "names nothing"),
        (("--options", "*", "--playouts", "9", "--player", "random", "--out", "x.toml"), "nothing to tune"),
        (("--options", "mcts.c", "--playouts", "9", "--games", "15", "--out", "x.toml"), "fewer than one iteration of 16"),
        (("--options", "mcts.c", "--playouts", "9", "--games", "9999999", "--out", "x.toml"), "more than 4000 iterations"),
        (("--options", "mcts.c", "--playouts", "9", "--out", "missing/x.toml"), "cannot write 'missing/x.toml'"),
        (("--options", "mcts.c", "--playouts", "9", "--out", "."), "cannot write '.'"),
        (("--options", "mcts.c", "--playouts", "9", "--player", "utc", "--out", "x.toml"), "did you mean 'uct'"),
        (("--options", "mcts.c", "--playouts", "9", "--game", "chss", "--out", "x.toml"), "unknown game 'chss'"),
        (("--options", "mcts.c", "--playouts", "0", "--out", "x.toml"), "0 is not between"),
        (("--options", "mcts.c", "--time", "nan", "--out", "x.toml"), "not between"),
        (("--options", "mcts.c", "--playouts", "9", "--set", "mcts.c=11", "--out", "x.toml"), "mcts.c must be a number from 0 to 10, not '11'"),
        (("--options", "mcts.c", "--playouts", "9", "--set", "mcts.cc=1", "--out", "x.toml"), "mcts.cc"),
        (("--options", "mcts.c", "--playouts", "9", "--config", "no.toml", "--out", "x.toml"), "cannot read"),
        (("--options", "mcts.c", "--playouts", "9", "--rules", "mine", "--out", "x.toml"), "mine"),
        (("--options", "mcts.c", "--playouts", "9", "--size", "1", "--out", "x.toml"), "--size: 1 is not between 2 and 25"),
        (("--options", "mcts.c", "--playouts", "9", "--data", "y.toml", "--out", "x.toml"), "has no data file"),
        (("--options", "mcts.c", "--playouts", "9", "--out", "x.toml", "--opions", "x"), "unknown option --opions"),
    ],
)  # fmt: skip
def test_mistakes_get_one_sentence(
    words: tuple[str, ...],
    says: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    assert cli.main(["tune", *words]) == 2
    output, errors = capsys.readouterr()
    assert says in errors and errors.count("\n") == 1 and output == "" and not list(tmp_path.glob("x.*"))


@pytest.mark.parametrize(
    "row", ['{"iteration": 1, "point": [0.5, 0.5]}', '{"iteration": 0, "point": [0.5]}', "{}", '{"iteration": 0, "point": "x"}', '{"verify": {}}']
)  # fmt: skip
def test_a_damaged_state_file_is_refused(row: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = [*QUICK, "--games", "4", "--verify", "0", "--out", str(tmp_path / "o.toml")]
    header = json.dumps(command.plan_of(arguments(*words)).header())
    (tmp_path / "o.toml.state").write_text(f"{header}\n{row}\n")
    assert cli.main(["tune", *words]) == 2
    assert capsys.readouterr().err.endswith("the state file is damaged: remove it to begin anew\n")


# What is written


def test_the_configuration_of_the_tuned_player(tmp_path: Path) -> None:
    base = tmp_path / "base.toml"
    base.write_text('player = "rollout"\nplayouts = 30\nset.mcts.prior_edge = 3\nset.mcts.c = 2\n')
    words = ["--config", str(base), "--options", "mcts.c,mcts.expand_*", "--time", "0.5", "--size", "5", "--out", "x"]
    plan = command.plan_of(arguments(*words, "--set", "mcts.c=4"))
    assert plan.start().set == {"mcts.c": 4.0, "mcts.prior_edge": 3.0, "mcts.expand_visits": 4.0}
    tuned = plan.config({"mcts.c": 0.25, "mcts.expand_visits": 2.0})
    (tmp_path / "out.toml").write_text(report.toml_text(plan, tuned, Tally(12, 1, 7)))
    config = load(tmp_path / "out.toml")
    assert (config.player, config.set) == (
        "rollout",
        {"mcts.c": 0.25, "mcts.expand_visits": 2.0, "mcts.prior_edge": 3.0},
    )
    make_search(get_game("go"), "rollout", config.set)
    assert "not verified" in report.toml_text(plan, tuned, None)


def test_the_data_file_of_the_mix(tmp_path: Path, called: Tengen) -> None:
    from tengen.engine.games.reversi import mix as reversi_mix

    out, data = tmp_path / "out.toml", tmp_path / "mix.toml"
    done = called(
        "tune", "--game", "reversi", "--player", "mix", "--options", "mix.w?_*,mix.square_*=-2:2", "--playouts", "8",
        "--games", "8", "--pairs", "2", "--verify", "4", "--out", str(out), "--data", str(data),
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    mix = reversi_mix.load(data)
    tuned = {name.removeprefix("mix."): value for name, value in load(out).set.items()}
    assert len(tuned) == 39 and tuned.items() <= dict(mix.values).items() and tuned != reversi_mix.load().values
    assert mix.values["endgame_from"] == reversi_mix.load().values["endgame_from"]
    assert "8 games at 8 playouts" in mix.card["made"] and "4 games" in mix.card["match"]


@pytest.mark.parametrize(
    ("match", "words"),
    [(Tally(70, 0, 30), ": stronger"), (Tally(30, 0, 70), ": weaker"), (Tally(52, 0, 48), "not shown to be stronger or weaker")],
)  # fmt: skip
def test_the_verdict_is_the_interval_s(match: Tally, words: str) -> None:
    assert report.verdict(match).endswith(words)


def test_progress_is_one_line() -> None:
    plan = command.plan_of(arguments("--options", "mcts.prior_*,mcts.c", "--playouts", "9", "--out", "x"))
    from tengen.tools.tune.tuner import Step

    step = Step(4, -0.25, (), {row.name: row.start for row in plan.parameters}, Tally())
    text = ", ".join(report.step_parts(plan, step))
    assert text.startswith("    5/125 -0.25  c 0, prior_even 7, prior_capture 15")
    assert text.endswith(", ... of 11") and isinstance(plan.base, Config)
