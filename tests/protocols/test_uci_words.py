"""UCI: the words of `go`, and those of `setoption` with the values of options."""

from __future__ import annotations

import pytest
from uci_client import CONFIG

from tengen.protocols.chess import bounds, options, values
from tengen.protocols.uci import go, set_option
from tengen.protocols.uci.option_line import option_line

OPTIONS = options.options_for(CONFIG)

# what follows `go` -> fields of it
WORDS = [
    ("", {}),
    ("depth 5", {"depth": 5}),
    ("depth 0", {"depth": 1}),
    ("nodes 100 depth 7", {"nodes": 100, "depth": 7}),
    ("movetime -5", {"movetime": 1}),
    ("mate 3", {"mate": 3}),
    ("infinite", {"is_infinite": True}),
    ("ponder wtime 10 btime 20", {"is_ponder": True, "times": (10, 20)}),
    ("wtime 100", {"times": (100, None)}),
    ("binc 3 btime -50 movestogo 4", {"times": (None, -50), "increments": (0, 3), "movestogo": 4}),
    ("winc -3 wtime 5", {"times": (5, None)}),
    ("movestogo 0 wtime 5", {"times": (5, None)}),
    ("searchmoves a2a3 h2h3 depth 4", {"moves": ("a2a3", "h2h3"), "depth": 4}),
    ("depth 2 searchmoves e7e8Q", {"depth": 2, "moves": ("e7e8q",)}),
    ("searchmoves infinite", {"is_infinite": True}),
    ("perft 3", {"perft": 3}),
    ("movetime 12.7", {"movetime": 12}),
    ("wtime 99999999999999999999999999", {"times": (go.MOST, None)}),
    ("depth 3 depth 4", {"depth": 4}),
]  # fmt: skip


@pytest.mark.parametrize(("text", "fields"), WORDS)
def test_words_of_go(text: str, fields: dict[str, object]) -> None:
    assert go.parse(text.split()) == bounds.Go()._replace(**fields)  # type: ignore[arg-type]


@pytest.mark.parametrize(("text", "note"), [
    ("depth", "go depth needs a number"), ("depth x nodes 5", "go depth needs a number"),
    ("fast depth 3", "go: 'fast' is ignored"), ("searchmoves a9a3 depth 1", "go searchmoves: 'a9a3' is no move"),
])  # fmt: skip
def test_words_that_mean_nothing_are_told(text: str, note: str) -> None:
    assert note in go.parse(text.split()).notes


@pytest.mark.parametrize("text", [
    "movetime abc", "movetime", "wtime", "wtime x btime", "depth 1e3", "nodes 1,000", "depth ５", "movetime 0x10", "perft",
    "movetim 1000", "winc 5 binc 5", "movestogo 3", "searchmoves e2e4 movetime soon", "ponder depth x", "fast",
    "movetime 5s", "wtime -", "nodes --5", "searchmoves a9a3",
])  # fmt: skip
def test_what_was_not_understood_never_makes_a_search_endless(text: str) -> None:
    found = go.parse(text.split())
    assert found.is_bounded and found.movetime == go.FALLBACK and found.may_answer
    assert found.notes[-1] == "go: nothing that was understood bounds the search, it takes 1000 ms"


@pytest.mark.parametrize(("text", "fields"), [
    ("movetime abc depth 5", {"depth": 5}), ("depth x nodes 5", {"nodes": 5}), ("wtime x btime 300", {"times": (None, 300)}),
    ("infinite movetime abc", {"is_infinite": True}), ("mate 2 depth x", {"mate": 2}), ("fast nodes 7", {"nodes": 7}),
])  # fmt: skip
def test_the_rest_of_what_was_not_understood_is_used(text: str, fields: dict[str, object]) -> None:
    found = go.parse(text.split())
    assert found._replace(notes=()) == bounds.Go()._replace(**fields) and found.notes  # type: ignore[arg-type]


def test_what_bounds_a_search() -> None:
    bounded = ("depth 1", "nodes 1", "movetime 1", "wtime 1", "perft 1")
    assert all(go.parse(text.split()).is_bounded for text in bounded)
    assert not any(go.parse(text.split()).is_bounded for text in ("", "infinite", "infinite depth 3", "mate 2"))
    assert go.parse(["mate", "2"]).may_answer and not go.parse(["infinite", "mate", "2"]).may_answer


# what follows `setoption` -> name, value
SETTINGS = [
    ("name Hash value 64", "hash", "64"),
    ("name  Clear   Hash ", "clear hash", None),
    ("NAME move overhead VALUE  30 ", "move overhead", "30"),
    ("name Debug Log File value my log.txt", "debug log file", "my log.txt"),
    ("name Debug Log File value", "debug log file", None),
    ("name x value value 3", "x", "value 3"),
]


@pytest.mark.parametrize(("text", "name", "value"), SETTINGS)
def test_the_words_of_setoption(text: str, name: str, value: str | None) -> None:
    found = set_option.parse(text)
    assert (found.name, (found.value or "").strip() or None) == (name, value)


@pytest.mark.parametrize("text", ["", "name", "value 3", "Hash 3"])
def test_setoption_without_a_name(text: str) -> None:
    with pytest.raises(values.Refused):
        set_option.parse(text)


@pytest.mark.parametrize(("name", "given", "value", "is_told"), [
    ("hash", "64", 64, False), ("hash", "0", 1, True), ("hash", "9" * 400, options.MOST_HASH, True),
    ("hash", "-3", 1, True), ("threads", "2.0", 2, False), ("multipv", "100000", options.MOST_LINES, True),
    ("ponder", "TRUE", True, False), ("ponder", "off", False, False), ("player", "RANDOM", "random", False),
    ("evalfile", "<empty>", "", False),
])  # fmt: skip
def test_values_of_options(name: str, given: str, value: object, is_told: bool) -> None:
    found, remark = values.value_of(OPTIONS[name], given)
    assert found == value and bool(remark) == is_told


@pytest.mark.parametrize(("name", "given"), [
    ("hash", "x"), ("hash", ""), ("hash", "nan"), ("ponder", "perhaps"), ("player", "nobody"),
    ("syzygypath", "a\x1b[31m"), ("book file", "x" * 5000),
])  # fmt: skip
def test_values_that_are_refused(name: str, given: str) -> None:
    with pytest.raises(values.Refused):
        values.value_of(OPTIONS[name], given)


def test_what_drivers_ask_of_the_options() -> None:
    """lichess-bot, cutechess and python-chess do not start an engine that lacks one of these."""
    lines = [option_line(option) for option in OPTIONS.values()]
    for name, most in (("Hash", 65536), ("Threads", 512), ("MultiPV", 218), ("Move Overhead", 5000)):
        line = next(line for line in lines if line.startswith(f"option name {name} type spin default "))
        low, high = (int(line.split()[line.split().index(word) + 1]) for word in ("min", "max"))
        assert low <= 1 and high >= most
    for name in ("Ponder", "UCI_Chess960", "UCI_ShowWDL", "UCI_AnalyseMode", "UCI_LimitStrength"):
        assert f"option name {name} type check default false" in lines
    for name in ("SyzygyPath", "Debug Log File", "Book File"):
        assert f"option name {name} type string default <empty>" in lines
    assert not any(line != line.rstrip() for line in lines)
    assert int(OPTIONS["uci_elo"].low) <= 1400 and int(OPTIONS["uci_elo"].high) >= 2800


def test_memory_and_hash_say_the_same() -> None:
    assert all(options.hash_of(options.memory_of(size)) == size for size in (1, 16, 100, 4096, 65536))
