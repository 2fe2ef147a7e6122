"""`tengen benchmark` tries settings and writes the best; `tengen init` writes every setting of a player."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from checkout import needs_openvino
from networks import tiny

from tengen.engine.config import Config, load
from tengen.engine.games import GAMES, get_game
from tengen.engine.play.options import options_of
from tengen.tools import cli
from tengen.tools.benchmark import command, measuring
from tengen.tools.benchmark.measuring import Speed, Trial

Output = pytest.CaptureFixture[str]
QUICK = ("--seconds", "0.05", "--positions", "1")


@pytest.mark.parametrize("game", GAMES)
def test_every_game_is_measured(game: str, capsys: Output) -> None:
    assert cli.main(["benchmark", "--game", game, "--net", "none", "--try-threads", "2,1", "--json", *QUICK]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["game"] == game and [row["threads"] for row in told["trials"]] == [1, 2]
    assert (
        all(row["a_second"] > 0 and row["batch"] is None for row in told["trials"]) and told["best"] in told["trials"]
    )


def test_batches_are_tried_with_a_network(tmp_path: Path, capsys: Output) -> None:
    needs_openvino()
    file = tmp_path / "mine.toml"
    file.write_text('rules = "japanese"\n[set.puct]\nc = 1.5\n')
    words = [
        "benchmark",
        "--net",
        str(tiny()),
        "--precision",
        "f32",
        "--try-threads",
        "1",
        "--write",
        str(file),
        *QUICK,
    ]
    assert cli.main(words) == 0
    table = capsys.readouterr().out.splitlines()
    assert [row.split("  ")[0] for row in table[1:6]] == [
        "1 thread", *(f"1 thread, batch {batch}" for batch in measuring.BATCHES),
    ]  # fmt: skip
    assert max(map(len, table[:-1])) <= 80 and sum("<- best" in row for row in table) == 1
    config = load(file)
    assert config.rules == "japanese" and config.threads == 1 and config.set["puct.c"] == 1.5


def test_the_best_is_the_first_of_those_that_are_about_as_fast() -> None:
    found = [Speed(Trial(1), 100.0), Speed(Trial(2), 199.0), Speed(Trial(4), 201.0), Speed(Trial(8), 150.0)]
    assert measuring.best_of(found).trial == Trial(2)
    rows = command.table(Config(game="chess"), found)
    assert rows[2].split() == ["2", "threads", "199", "1.99", "+69", "<-", "best"]
    assert rows[-1] == "best: --threads 2"


def test_what_is_written_keeps_the_rest(tmp_path: Path) -> None:
    file = tmp_path / "new.toml"
    command.write(file, Trial(3, 16))
    command.write(file, Trial(4))
    config = load(file)
    assert config.threads == 4 and config.set == {"puct.batch": 16}


def test_a_commented_configuration_keeps_its_comments(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    assert cli.main(["init", str(file)]) == 0
    before = file.read_text("utf-8").splitlines()
    command.write(file, Trial(3, 16))
    after = file.read_text("utf-8").splitlines()
    assert load(file).threads == 3 and load(file).set == {"puct.batch": 16}
    assert set(before) - set(after) <= {"# threads = 1", "# batch = 8"} and len(after) <= len(before) + 3
    odd = "set.puct.batch = 4 # mine\nthreads= 1\n"
    file.write_text(odd)
    command.write(file, Trial(2, 32))
    assert load(file).threads == 2 and load(file).set == {"puct.batch": 32}


@pytest.mark.parametrize("words, says", [
    ("--try-threads 0", "0 is not between 1 and 256"), ("--try-threads ,", "names no count of threads"),
    ("--seconds 0", "is not between"), ("--game goo", "did you mean 'go'?"), ("--net no.bin.gz", "no.bin.gz"),
])  # fmt: skip
def test_mistakes_are_one_sentence(words: str, says: str, capsys: Output) -> None:
    assert cli.main(["benchmark", *words.split()]) == 2
    told = capsys.readouterr()
    assert says in told.err and told.err.count("\n") == 1 and not told.out


@pytest.mark.parametrize("game", GAMES)
def test_a_new_configuration_has_every_setting_and_changes_nothing(game: str, tmp_path: Path, capsys: Output) -> None:
    file = tmp_path / "tengen.toml"
    assert cli.main(["init", str(file), "--game", game]) == 0 and str(file) in capsys.readouterr().out
    assert load(file) == Config(game=game)
    text = file.read_text("utf-8")
    for option in options_of(get_game(game)):
        group, _, key = option.name.rpartition(".")
        assert re.search(rf"^(# )?{re.escape(key)} = ", text, re.MULTILINE), option.name
        assert not group or f"[set.{group}]" in text
    held = [option for option in options_of(get_game(game)) if option.default is not None and option.kind == "number"]
    for option in held:  # a line that loses its "#" is read
        text = re.sub(rf"^# ({re.escape(option.name.rpartition('.')[2])} = )", r"\1", text, flags=re.MULTILINE)
    file.write_text(text, "utf-8")
    config = load(file)
    assert config.game == game and len(config.set) > 3
    assert cli.main(["init", str(file)]) == 2 and "--force replaces it" in capsys.readouterr().err
    assert file.read_text("utf-8") == text
    assert cli.main(["init", str(file), "--force"]) == 0 and load(file) == Config()
