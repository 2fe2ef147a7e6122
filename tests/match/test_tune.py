"""`tengen tune`: scales, the optimiser, a bad value that is improved, a killed run that goes on, mistakes."""

from __future__ import annotations

import json
import random
import signal
import subprocess
import sys
import time
from argparse import Namespace
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tengen.engine.config import Config, load
from tengen.engine.games import get_game
from tengen.engine.options import check, number
from tengen.engine.search import make_search
from tengen.tools import cli
from tengen.tools.arguments import Parser
from tengen.tools.match.statistics.tally import Tally
from tengen.tools.tune import command, report
from tengen.tools.tune.space import Parameter, choose
from tengen.tools.tune.spsa import Spsa, result

Tengen = Callable[..., subprocess.CompletedProcess[str]]
OPTIONS = (
    number("mcts.c", 0.4, 0.0, 10.0, ""),
    number("mcts.prior_a", 10.0, 0.0, 30.0, ""),
    number("mcts.prior_b", -2.0, -8.0, 8.0, ""),
    number("mix.square", 0.02, -10.0, 10.0, ""),
    number("mcts.threads", 1.0, 1.0, 256.0, "", is_whole=True),
    number("mcts.seed", 0.0, 0.0, 2.0**53, "", is_whole=True),
    number("lab.count", 4.0, 1.0, 9.0, "", is_whole=True),
    check("lab.switch", True, ""),
)
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


# Scales


@given(st.floats(0, 1), st.floats(-100, 100), st.floats(0.001, 1000), st.none() | st.floats(1e-5, 0.01))
def test_scales_go_both_ways(unit: float, low: float, width: float, offset: float | None) -> None:
    low = low if offset is None else abs(low)
    row = Parameter("x", low, low, low + width, offset and offset * width)
    value = row.value(unit)
    assert row.low <= value <= row.high and 0 <= row.unit(value) <= 1
    assert row.unit(row.low) == 0 and row.unit(row.high) == pytest.approx(1)
    assert row.value(row.unit(value)) == pytest.approx(value, abs=2e-3 * width)
    assert row.value(0) == pytest.approx(row.low, abs=1e-3 * width)
    assert row.value(1) == pytest.approx(row.high, abs=1e-3 * width)


@given(st.floats(0, 1), st.floats(0.01, 1000), st.floats(0.005, 0.5))
def test_scales_around_zero_go_both_ways(unit: float, high: float, share: float) -> None:
    row = Parameter("x", 0.0, -high / 2, high, share * high)
    assert row.value(row.unit(row.value(unit))) == pytest.approx(row.value(unit), abs=2e-3 * high)
    assert row.unit(0.0) == pytest.approx(1 - Parameter("x", 0.0, -high, high / 2, share * high).unit(0.0))


def test_wide_ranges_are_scaled_by_the_logarithm() -> None:
    c, a, b = choose(OPTIONS, ["mcts.*"], {"mcts.c": 10.0})
    assert (c.name, c.start, c.offset) == ("mcts.c", 10.0, pytest.approx(0.02))
    assert (a.start, a.offset, b.start, b.offset) == (10.0, None, -2.0, None)
    (square,) = choose(OPTIONS, ["mix.*"], {})
    assert square.offset == 0.1 and square.value(0.5) == 0 and square.value(0.6) == pytest.approx(0.127, rel=0.01)
    assert square.value(1) == -square.value(0) == 10
    assert c.value(0.5) == pytest.approx(0.428, rel=0.01) and a.value(0.5) == 15.0 and b.value(0.25) == -4.0


@pytest.mark.parametrize(
    ("patterns", "wanted"),
    [
        ("mcts.c", {"mcts.c": (0.0, 10.0)}),
        ("mcts.prior_?", {"mcts.prior_a": (0.0, 30.0), "mcts.prior_b": (-8.0, 8.0)}),
        ("mcts.c=0.1:3", {"mcts.c": (0.1, 3.0)}),
        ("mcts.c=0.1:3,m*[ab]", {"mcts.c": (0.1, 3.0), "mcts.prior_a": (0.0, 30.0), "mcts.prior_b": (-8.0, 8.0)}),
    ],
)
def test_options_are_chosen_by_name(patterns: str, wanted: dict[str, tuple[float, float]]) -> None:
    rows = choose(OPTIONS, patterns.split(","), {})
    assert {row.name: (row.low, row.high) for row in rows} == wanted


@pytest.mark.parametrize(
    ("pattern", "says"),
    [
        ("mcts.d", "no option is called 'mcts.d' (did you mean 'mcts.c'?)"),
        ("max.*", "no option is called 'max.*'"),
        ("mcts.threads", "is nothing to tune"),
        ("mcts.s*", "is nothing to tune"),
        ("lab.switch", "'lab.switch' is nothing to tune: it is no number"),
        ("lab.count=2.2:2.8", "the range 2.2:2.8 holds no whole numbers"),
        ("mcts.c=", "'' is not a range"),
        ("mcts.c=1", "'1' is not a range"),
        ("mcts.c=1:x", "not a range"),
        ("mcts.c=3:1", "not within 0:10"),
        ("mcts.c=0:11", "not within 0:10"),
        ("mcts.c=nan:1", "not within 0:10"),
        ("mcts.c=1:2", "the start 0.4 is not within 1:2"),
    ],
)
def test_options_that_are_refused(pattern: str, says: str) -> None:
    with pytest.raises(ValueError) as error:
        choose(OPTIONS, [pattern], {})
    assert says in str(error.value)


def test_whole_numbers_stay_whole() -> None:
    (count,) = choose(OPTIONS, ["lab.*"], {})
    assert {count.value(step / 100) for step in range(101)} == set(range(1, 10))
    (part,) = choose(OPTIONS, ["lab.count=1.5:5.5"], {})
    assert (part.low, part.high) == (2, 5)


# The optimiser


def test_the_optimum_of_a_noisy_function_is_found() -> None:
    best = (0.2, 0.7, 0.5)
    spsa, dice = Spsa(iterations=400, seed=3), random.Random(1)
    points = [(0.9, 0.1, 0.5)]
    for iteration in range(spsa.iterations):
        plus, minus = spsa.sides(points[-1], iteration)
        worth = [sum((unit - wanted) ** 2 for unit, wanted in zip(side, best, strict=True)) for side in (plus, minus)]
        score = max(-1.0, min(1.0, 5 * (worth[1] - worth[0]) + dice.gauss(0, 0.25)))
        points.append(spsa.update(points[-1], iteration, score))
    assert result(points) == pytest.approx(best, abs=0.1)
    assert all(0 <= unit <= 1 for point in points for unit in point)


def test_the_schedule() -> None:
    spsa = Spsa(iterations=100, seed=1, step=0.2, rate=2.0)
    assert spsa.perturbation(0) == 0.2 and spsa.gain(0) == pytest.approx(0.4)
    gains = [spsa.gain(number) for number in range(100)]
    assert gains == sorted(gains, reverse=True) and 0 < gains[-1] < gains[0] / 4
    assert spsa.signs(7, 30) == spsa.signs(7, 30) != spsa.signs(8, 30) and set(spsa.signs(7, 30)) == {-1.0, 1.0}
    assert spsa.update((0.5, 0.5), 7, 0.0) == (0.5, 0.5) and result([(0.5,), (0.1,)]) == (0.1,)


# The run


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
    for _ in range(1000):
        if (tmp_path / "out.toml.state").exists() and (tmp_path / "out.toml.state").read_text().count("\n") > 2:
            break
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    output, errors = process.communicate(timeout=20)
    assert process.returncode == 130 and output == "" and not out.exists()
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
        (("--options", "mcts.c", "--playouts", "9", "--game", "chess", "--out", "x.toml"), "unknown game 'chess'"),
        (("--options", "mcts.c", "--playouts", "0", "--out", "x.toml"), "0 is not between"),
        (("--options", "mcts.c", "--time", "nan", "--out", "x.toml"), "not between"),
        (("--options", "mcts.c", "--playouts", "9", "--set", "mcts.c=11", "--out", "x.toml"), "mcts.c must be a number from 0 to 10, not '11'"),
        (("--options", "mcts.c", "--playouts", "9", "--set", "mcts.cc=1", "--out", "x.toml"), "mcts.cc"),
        (("--options", "mcts.c", "--playouts", "9", "--config", "no.toml", "--out", "x.toml"), "cannot read"),
        (("--options", "mcts.c", "--playouts", "9", "--rules", "mine", "--out", "x.toml"), "mine"),
        (("--options", "mcts.c", "--playouts", "9", "--size", "1", "--out", "x.toml"), "unacceptable size"),
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


def test_the_data_file_of_the_mix(tmp_path: Path, tengen: Tengen) -> None:
    from tengen.engine.games import reversi_mix

    out, data = tmp_path / "out.toml", tmp_path / "mix.toml"
    done = tengen(
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
    assert report.step_text(plan, step).startswith("    5/125 -0.25  c 0, prior_even 7, prior_capture 15")
    assert report.step_text(plan, step).endswith(", 5 more") and isinstance(plan.base, Config)
