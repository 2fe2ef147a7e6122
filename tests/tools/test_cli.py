"""The `tengen` command as a person meets it: help, mistakes, benchmarks, counts, the doctor."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tengen.engine.games import GAMES, get_game
from tengen.tools.arguments import plain_dashes

Run = Callable[..., "subprocess.CompletedProcess[str]"]

# words -> what the one sentence on stderr says
MISTAKES = [
    ("gpt", "did you mean 'gtp'?"),
    ("banch", "did you mean 'bench'?"),
    ("--verson", "did you mean '--version'?"),
    ("gtp --thread 2", "unknown option --thread (did you mean '--threads'?)"),
    ("gtp –playuots 5", "did you mean '--playouts'?"),
    ("gtp -seed 5", "did you mean '--seed'?"),
    ("gtp --playouts", "--playouts: expected one argument"),
    ("gtp --threads two", "threads"),
    ("gtp --threads 0", "threads"),
    ("gtp --temperature nan", "temperature"),
    ("gtp --set mcts.c", "'mcts.c' is not of the form name=value"),
    ("gtp --net none --level 11", "the player 'uct' of go has no level 11; it has 1, 2, 3, 4, 5, 6, 7, 8, 9, 10"),
    ("gtp --set mcts.c=x", "mcts.c must be a number from 0 to 10, not 'x'"),
    ("gtp --threads 2.5", "threads must be a whole number from 1 to 256, not '2.5'"),
    ("gtp extra", "unexpected argument 'extra'"),
    ("gtp --player utc", "uct"),
    ("gtp --game goo", "go"),
    ("gtp --rules chinesse", "chinese"),
    ("gtp --set mcts.cc=1", "mcts.c"),
    ("gtp --config no-such-file.toml", "no-such-file.toml"),
    ("perft goo 2", "unknown game 'goo' (did you mean 'go'?); there are go, gomoku, reversi, chess"),
    ("gtp --game chess", "game: GTP plays go, gomoku, reversi; chess has 'tengen uci'"),
    ("perft chess 2 --fen 8/8/8/8", "a FEN has six fields, not 1"),
    ("perft go 2 --fen 8/8/8/8", "positions of go are stones, not a text"),
    ("gtp --player foo", "unknown player 'foo'; go has uct, rollout, puct, policy, value, clevergo, random"),
    ("gtp --player mix", "unknown player 'mix': that is one of reversi (--game reversi); go has uct"),
    ("gtp --rules renju", "Unknown rules 'renju': that is one of gomoku (--game gomoku); go has chinese"),
    ("gtp --game gomoku --rules japanese", "Unknown rules 'japanese': that is one of go (--game go); gomoku has free"),
    (
        "nboard --player foo",
        "unknown player 'foo'; reversi has alphabeta, uct, rollout, weighted, mix, puct, policy, value, random",
    ),
    ("perft gomoku 1 --rules chinese", "that is one of go (--game go); gomoku has freestyle"),
    ("options --game goo", "unknown game 'goo' (did you mean 'go'?)"),
    ("options --player mix", "unknown player 'mix': that is one of reversi"),
    ("help gpt", "unknown command 'gpt' (did you mean 'gtp'?)"),
    ("perft go 1 --hash 16", "--hash is for chess; go is counted without a table"),
    ("perft chess 1 --hash 0", "--hash: 0 is not between 1 and 1048576"),
    ("perft go two", "'two' is not a whole number"),
    ("perft go 1 --size 26", "is not between"),
    ("tune --game reversi --player uct --options mcts.c --playouts 1 --games 16 --out no-folder/x", "'no-folder/x'"),
    (
        "tune --game reversi --player uct --options mcts.c --playouts 1 --games 16 --out x --state no-folder/s",
        "tengen: 'no-folder/s': No such",
    ),
]

# words -> some of the rows of the table, without the blanks between columns
LISTED = [
    ("options", "threads number - a whole number from 1 to 256 search threads (physical cores - 1)"),
    ("options", "ponder check false true or false think in the opponent's time"),
    ("options --player rollout", "mcts.c number 1 a number from 0 to 10 exploration constant of UCB1"),
    (
        "options --game gomoku",
        "player choice alphabeta one of alphabeta, uct, rollout, puct, policy, value, alphazero-gomoku, random who plays:",
    ),
    (
        "options --game reversi --player mix",
        "mix.endgame_from number 18 a whole number from 0 to 60 the endgame begins",
    ),
]

DASHES = [
    ("–playouts=5", "--playouts=5"),
    ("—threads", "--threads"),
    ("––seed", "--seed"),
    ("−h", "-h"),
    ("−1.5", "-1.5"),
    ("--komi", "--komi"),
    ("a–b", "a–b"),
    ("", ""),
]


@pytest.mark.parametrize(("typed", "meant"), DASHES)
def test_dashes_that_editors_correct(typed: str, meant: str) -> None:
    assert plain_dashes(typed) == meant


@pytest.mark.parametrize(("words", "row"), LISTED)
def test_options_are_listed(called: Run, words: str, row: str) -> None:
    done = called(*words.split(" "))
    assert done.returncode == 0 and not done.stderr
    lines = [" ".join(line.split()) for line in done.stdout.splitlines()]
    assert any(line.startswith(row) for line in lines), done.stdout


def test_options_are_listed_for_programs(called: Run) -> None:
    rows = {
        row["name"]: row
        for row in json.loads(called("options", "--json", "--game", "reversi", "--player", "uct").stdout)
    }
    assert rows["rules"] == {
        "name": "rules", "kind": "choice", "default": "standard", "choices": ["standard"], "doc": rows["rules"]["doc"],
    }  # fmt: skip
    assert rows["mcts.leaf_empties"]["is_whole"] and rows["mcts.leaf_empties"]["high"] == 16
    assert rows["threads"]["default"] is None and rows["name"]["kind"] == "text"


@pytest.mark.parametrize(("words", "says"), MISTAKES)
def test_a_mistake_is_one_sentence(tengen: Run, called: Run, words: str, says: str) -> None:
    done = (tengen if words in ("gpt", "gtp --threads 0") else called)(*words.split(" "))
    assert done.returncode == 2
    assert done.stdout == ""
    assert says in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1, done.stderr
    assert "Traceback" not in done.stderr


def test_debug_shows_where_an_error_came_from(tengen: Run) -> None:
    assert "Traceback" in tengen("--debug", "gtp", "--config", "no-such-file.toml").stderr


def test_version_and_help(tengen: Run, called: Run) -> None:
    from tengen.engine.version import __version__

    assert tengen("--version").stdout == f"tengen {__version__}\n"
    for word in ("--help", "-h", "help"):
        done = called(word)
        assert done.returncode == 0 and "gtp" in done.stdout
    assert tengen().returncode == 2
    for command in ("gtp", "gomocup", "nboard", "uci", "xboard", "doctor", "bench", "perft"):
        done = called(command, "--help")
        assert done.returncode == 0 and f"tengen {command}" in done.stdout
        assert called("help", command).stdout == done.stdout


def test_the_help_of_a_front_end_is_its_own(called: Run) -> None:
    for command, game in (("gomocup", "gomoku"), ("nboard", "reversi")):
        words = " ".join(called(command, "--help").stdout.split())
        assert f"--game GAME {game}, the only game here" in words
        assert "go (the default" not in words and "japanese" not in words
    assert "go (the default), gomoku or reversi" in " ".join(called("gtp", "--help").stdout.split())
    assert "Speak the Gomocup protocol, for Piskvork" in called("gomocup", "--help").stdout


@pytest.mark.parametrize(
    ("package", "command", "sentence"),
    [
        ("torch", "-m tengen.tools.lab.photo train finder x --out y", "python -m tengen.tools.lab.photo needs the package torch, which is not installed; where there is no GPU, "),
        ("torch", "-m tengen.tools.lab.photo export x y", "python -m tengen.tools.lab.photo needs the package torch, which is not installed; where there is no GPU, "),
        ("gymnasium", "-c import\ttengen.tools.go_env", "GoEnv needs the package gymnasium, which is not installed; run: "),
    ],
)  # fmt: skip
def test_a_missing_package_is_named_with_its_extra(tmp_path: Path, package: str, command: str, sentence: str) -> None:
    (tmp_path / f"{package}.py").write_text(f"raise ModuleNotFoundError('No module', name={package!r})", "utf-8")
    words = [sys.executable, *command.split(" ")]
    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
    done = subprocess.run(words, capture_output=True, text=True, env=environment, timeout=60)
    assert done.returncode != 0 and sentence in done.stderr.strip().splitlines()[-1]
    assert package == "gymnasium" or "Traceback" not in done.stderr


def test_bench_json(called: Run) -> None:
    done = called("bench", "--json", "--seconds", "0.1")
    figures = json.loads(done.stdout)
    for game, length, slack in (
        ("go9", 110.8, 3.0),
        ("go19", 500.0, 100.0),
        ("gomoku15", 120.0, 20.0),
        ("reversi", 60.9, 0.5),
    ):
        row = figures[game]
        assert set(row) == {"playouts_per_cpu_s", "uct_sims_per_cpu_s", "mean_length", "black_wins"}
        assert row["playouts_per_cpu_s"] > 0 and row["uct_sims_per_cpu_s"] > 0
        assert abs(row["mean_length"] - length) < slack
    assert abs(figures["go9"]["black_wins"] - 0.446) < 0.03
    assert {"perft_per_cpu_s", "made_per_cpu_s", "tables_nodes_per_cpu_s"} <= set(figures["chess"])
    assert all(figure > 0 for figure in figures["chess"].values())


def test_perft_counts_a_pass_as_a_ply(called: Run) -> None:
    assert called("perft", "go", "0", "--size", "9").stdout == "1\n"
    assert called("perft", "go", "1", "--size", "9").stdout == "82\n"
    divided = called("perft", "go", "2", "--size", "3", "--divide").stdout.split("\n")
    *parts, total, _ = divided
    assert sum(int(part.split()[1]) for part in parts) == int(total)
    assert len(parts) == 10


def test_perft_by_a_table(called: Run) -> None:
    for words in ((), ("--divide",)):
        assert called("perft", "chess", "4", "--hash", "1", *words).stdout.split("\n")[-2] == "197281"


def test_native_and_plain_perft_agree() -> None:
    from tengen.tools import perft

    game = get_game("go")
    for size, depth in ((2, 4), (3, 4), (4, 3)):
        state = game.new_state(size, size, game.default_rules, 0.0)
        assert perft.perft(game, state, depth) == perft.count(state, depth)


def test_doctor_prints_settings_for_the_guis(tengen: Run) -> None:
    done = tengen("doctor", "--playouts", "20", "--seed", "3")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "FAILED" not in done.stdout
    for words in (
        "Sabaki",
        "GoGui",
        "pbrain-tengen",
        "gomocup --playouts 20",
        "nboard --playouts 20",
        "--game reversi",
    ):
        assert words in done.stdout
    for title in (get_game(game).conventions.title for game in GAMES):
        assert f"\n{title}\n" in done.stdout
    entry = next(line for line in done.stdout.splitlines() if '"engines.list"' in line)
    engine = json.loads("{" + entry.strip() + "}")["engines.list"][0]
    assert engine["args"].startswith(("gtp", "-m tengen.tools gtp")) and "--playouts 20" in engine["args"]


def test_doctor_knows_what_plays_chess(called: Run) -> None:
    """Chess has no GTP; what is printed starts the engine with every option."""
    done = called("doctor", "--game", "chess", "--level", "3")
    assert done.returncode == 0, done.stdout + done.stderr
    checks, _, text = done.stdout.partition("\n\n")
    assert re.findall(r"^ok +tengen (\w+)", checks, re.MULTILINE) == ["uci", "xboard"]
    assert re.findall(r"^  (\S+)", text, re.MULTILINE) == [
        "cutechess",
        "Arena",
        "lichess-bot",
        "En",
        "BanksiaGUI",
        "XBoard",
    ]
    words = shlex.split(next(line for line in text.splitlines() if "command:    " in line).partition(":")[2])
    assert words[-2:] == ["--level", "3"]
    said = subprocess.run(words, input="uci\nquit\n", capture_output=True, text=True, timeout=30)
    assert said.returncode == 0 and "option name Level type spin default 3 " in said.stdout


# options -> the game, the GUIs that play it, the front ends beside GTP
ONE_GAME = [
    ("--game go --rules japanese", "go", "Sabaki GoGui Lizzie KaTrain Quarry qGo", ""),
    ("--game gomoku --rules renju", "gomoku", "Piskvork Yixin-Board GoGui", "gomocup"),
    ("--game reversi --player mix --set mix.w2_opening=0.25", "reversi", "NBoard GoGui Quarry", "nboard"),
    ("--config reversi.toml --level 3", "reversi", "NBoard GoGui Quarry", "nboard"),
]


@pytest.mark.parametrize(("options", "game", "guis", "front_ends"), ONE_GAME)
def test_doctor_keeps_to_the_game_that_is_named(
    called: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, options: str, game: str, guis: str, front_ends: str
) -> None:
    """Only GUIs that play it, each with every option; and what is printed starts an engine."""
    monkeypatch.chdir(tmp_path)
    Path("reversi.toml").write_text('game = "reversi"\nplayer = "mix"\n', "utf-8")
    done = called("doctor", *options.split(), "--playouts", "20", "--name", "A B")
    assert done.returncode == 0, done.stdout + done.stderr
    checks, _, text = done.stdout.partition("\n\n")
    assert [line for line in text.splitlines() if not line.startswith(" ")] == [get_game(game).conventions.title]
    assert re.findall(r"^  (\S+)", text, re.MULTILINE) == guis.split()
    assert re.findall(r"^ok +tengen (\w+)", checks, re.MULTILINE) == ["gtp", *front_ends.split()]
    kept = shlex.split(options.replace("--game " + game, "").replace("reversi.toml", str(tmp_path / "reversi.toml")))
    lines = [line.strip() for line in text.splitlines() if re.match(r" +(/|[A-Z]:)\S*(tengen|python)\S* ", line)]
    assert len(lines) >= 2
    for line in lines:
        words = shlex.split(line)
        assert [word for word in words if word in kept] == kept, line
        said = subprocess.run(words, input="name\nABOUT\nquit\nEND\n", capture_output=True, text=True, timeout=30)
        assert said.returncode == 0, said.stderr


def test_doctor_replaces_the_name_for_lizzie(called: Run) -> None:
    done = called("doctor", "--game", "go", "--playouts", "20", "--name", "A B", "--version-string", "7")
    (line,) = [line for line in done.stdout.splitlines() if "--version-string 1.15" in line]
    assert line.endswith("gtp --game go --playouts 20 --name KataGo --version-string 1.15")


def test_doctor_plays_the_game_of_the_configuration(called: Run, tmp_path: Path) -> None:
    file = tmp_path / "reversi.toml"
    file.write_text('game = "reversi"\nplayer = "mix"\nplayouts = 20\n[set]\n"mix.w2_opening" = 0.25\n', "utf-8")
    done = called("doctor", "--config", str(file))
    assert done.returncode == 0, done.stdout + done.stderr
    assert "on an empty 8x8 board" in done.stdout and f"--config {file}" in done.stdout


def test_doctor_tells_what_is_wrong(called: Run) -> None:
    done = called("doctor", "--game", "go", "--player", "utc")
    assert done.returncode == 1
    assert "FAILED" in done.stdout and "uct" in done.stdout
