"""What a network was not taught, by its card: said in one sentence by analyses, reviews and doctor."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from analysis_client import Client, query
from checkout import ROOT, needs_openvino
from katago_files import file_of, network

from tengen.engine import toml
from tengen.engine.evaluators.backends.base import NetworkError
from tengen.engine.evaluators.backends.cards import read_card
from tengen.engine.evaluators.backends.taught import Taught
from tengen.engine.games import get_game
from tengen.engine.games.go.rules import RULE_SETS, parse_rules
from tengen.engine.play.outside import outside, taught_of, taught_sentence
from tengen.nets.cards import write_card

Tengen = Callable[..., subprocess.CompletedProcess[str]]
GO = get_game("go")
TAUGHT = {"sizes": [5, 9], "komi": [4.0, 10.0], "rules": ["chinese", "tromp-taylor"]}
CARD: dict[str, Any] = {
    "name": "tiny", "purpose": "tests", "licence": "MIT", "training": {"data": "none", "command": "none"},
    "plays": {"game": "go", "features": "katago-v7"},
    "input": {"shape": [0, 22, 0, 0], "channels": [], "normalisation": "none"}, "outputs": {},
}  # fmt: skip
F32 = ("--precision", "f32", "--threads", "1")


def put(folder: Path, **card: Any) -> Path:
    path = folder / "tiny.bin.gz"
    path.write_bytes(file_of(network(("ordinary",), 15)))
    write_card(path, {**CARD, **card})
    return path


# Size, komi, rules -> what of them was not taught.
POSITIONS: list[tuple[int, float, str, list[str]]] = [
    (9, 7.0, "chinese", []),
    (9, 10.0, "aga", []),
    (9, 4.0, "new-zealand", []),
    (13, 7.0, "chinese", ["boards of 13x13"]),
    (9, 60.0, "chinese", ["a komi of 60 (only 4 to 10)"]),
    (9, 7.0, "japanese", ["japanese rules"]),
    (9, 7.0, "aga-button", ["aga-button rules"]),
    (9, 7.0, "stone-scoring", ["stone-scoring rules"]),
    (19, -3.5, "korean", ["boards of 19x19", "a komi of -3.5 (only 4 to 10)", "korean rules"]),
]


@pytest.mark.parametrize(("size", "komi", "rules", "wanted"), POSITIONS)
def test_rules_are_those_that_count_alike(size: int, komi: float, rules: str, wanted: list[str]) -> None:
    taught = Taught((5, 9), (4.0, 10.0), ("chinese", "tromp-taylor", "no such rules"))
    state = GO.new_state(size, size, RULE_SETS[rules], komi)
    assert outside(taught, GO, state, RULE_SETS[rules]) == wanted
    assert outside(Taught(), GO, state, RULE_SETS[rules]) == []


def test_boards_that_are_no_squares_and_rules_without_a_name() -> None:
    state = GO.new_state(9, 5, RULE_SETS["chinese"], 7.0)
    assert outside(Taught((5, 9)), GO, state, RULE_SETS["chinese"]) == ["boards of 9x5"]
    own = parse_rules('{"ko":"SIMPLE","scoring":"AREA","tax":"NONE","suicide":true}')[0]
    assert outside(Taught(rules=("chinese",)), GO, state, own) == []


def test_cards_keep_it(tmp_path: Path) -> None:
    path = put(tmp_path, taught=TAUGHT)
    card = read_card(path.with_name("tiny.toml"))
    assert card.taught == taught_of(path) == Taught((5, 9), (4.0, 10.0), ("chinese", "tromp-taylor"))
    assert card.as_table()["taught"] == TAUGHT
    path.with_name("tiny.toml").write_text(toml.dumps(card.as_table()), "utf-8")
    assert read_card(path.with_name("tiny.toml")) == card
    said = taught_sentence(card.taught)
    assert said == "boards of 5x5 and 9x9, a komi of 4 to 10, rules of chinese and tromp-taylor"
    assert "taught" not in read_card(ROOT / "nets" / "weights" / "photo-sides.toml").as_table()


WRONG: list[Any] = [
    "chinese", {"sizes": 9}, {"sizes": ["9"]}, {"komi": [7.0]}, {"komi": [10.0, 4.0]}, {"komi": ["4", "10"]},
    {"rules": [1]}, {"rules": "chinese"},
]  # fmt: skip


@pytest.mark.parametrize("taught", WRONG, ids=str)
def test_cards_that_mean_nothing_are_refused(taught: Any, tmp_path: Path) -> None:
    path = put(tmp_path, taught=taught)
    with pytest.raises(NetworkError, match="tiny.toml") as error:
        read_card(path.with_name("tiny.toml"))
    assert "\n" not in str(error.value) and taught_of(path) == Taught()


def test_shipped_networks_say_what_they_were_taught() -> None:
    taught_as = (
        ("tengen-go-9", (9,), (4.0, 10.0)),
        ("tengen-go-9-taught", (9,), (-65.0, 65.0)),
        ("tengen-go-9-19", (7, 9, 11, 13, 15, 17, 19), (-65.0, 65.0)),
    )
    for name, sizes, komi in taught_as:
        taught = read_card(ROOT / "nets" / "weights" / f"{name}.toml").taught
        assert taught.sizes == sizes and taught.komi == komi and set(taught.rules) <= set(RULE_SETS)


SENTENCE = (
    "the network 'tiny.bin.gz' was not taught a komi of 60 (only 4 to 10) or japanese rules: its figures are guesses"
)


def test_kata_analyze_says_so_once(tmp_path: Path, tengen: Tengen) -> None:
    """Not where a position is one that was taught, and not for moves."""
    needs_openvino()
    words = ("gtp", "--net", str(put(tmp_path, taught=TAUGHT)), *F32, "--visits", "8")
    within = "boardsize 5\nkomi 7\nkata-raw-nn 0\nkata-analyze b 10\ngenmove b\nquit\n"
    done = tengen(*words, script=within)
    assert done.returncode == 0 and "not taught" not in done.stderr, done.stderr
    beyond = "boardsize 5\nkomi 60\nkata-set-rules japanese\nkata-raw-nn 0\ngenmove b\n"
    done = tengen(*words, script=f"{beyond}quit\n")
    assert "not taught" not in done.stderr
    done = tengen(*words, script=f"{beyond}kata-analyze w 10\nname\nlz-analyze w 10\nname\nquit\n")
    assert done.stderr.count("not taught") == 1 and SENTENCE in done.stderr, done.stderr


def test_a_network_that_is_still_loading_is_told_of_later(tmp_path: Path, tengen: Tengen) -> None:
    """Nobody waits for it before the analysis begins."""
    needs_openvino()
    path = put(tmp_path, taught=TAUGHT)
    script = "boardsize 13\nkata-analyze b 10\nkata-raw-nn 0\nquit\n"
    done = tengen("gtp", "--net", str(path), *F32, "--visits", "8", script=script)
    assert done.stderr.count("was not taught boards of 13x13: its figures are guesses") == 1, done.stderr


def test_the_analysis_protocol_says_so_on_stderr(tmp_path: Path) -> None:
    needs_openvino()
    one = Client("-model", str(put(tmp_path, taught=TAUGHT)), *F32)
    answers = [
        one.ask(query("a")),
        one.ask(query("b", rules="japanese", komi=60)),
        one.ask(query("c", rules="japanese", komi=60)),
    ]
    assert all("error" not in answer and "warning" not in answer for answer in answers)
    one.leave()
    said = one.stderr.decode()
    assert said.count("not taught") == 1 and f"tengen analysis: {SENTENCE}" in said, said


def test_reviews_say_so(tmp_path: Path, tengen: Tengen) -> None:
    """And nothing of networks whose cards say nothing."""
    needs_openvino()
    game = tmp_path / "game.sgf"
    game.write_text("(;GM[1]SZ[5]KM[60]RU[Japanese];B[cc];W[bb])", "utf-8")
    words = ("review", str(game), "--visits", "2", "--threads", "1", "--precision", "f32", "--net")
    done = tengen(*words, str(put(tmp_path, taught=TAUGHT)))
    assert done.returncode == 0 and done.stderr.count(f"tengen review: warning: {SENTENCE}") == 1, done.stderr
    done = tengen(*words, str(put(tmp_path)))
    assert done.returncode == 0 and "not taught" not in done.stderr, done.stderr
