"""The numbers of alpha-beta: each one that is listed acts, and none hides in the search's source."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from operator import ne
from typing import Any

import pytest
from checkout import ROOT

from tengen.engine._core import ChessAlphaBeta, ReversiState
from tengen.engine.games import get_game
from tengen.engine.games.chess.text import state_from_fen
from tengen.engine.play.options import options_of
from tengen.engine.search import make_search

FENS = (
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "8/8/p1p5/1p5p/1P5p/8/PPP2K1p/4R1rk w - - 0 1",
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
    "2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - 0 1",
    "r2q1rk1/1b1nbppp/p2ppn2/1p6/3NP3/1BN1BP2/PPPQ2PP/2KR3R w - - 0 12",
)
REVERSI = "c4 c5 f6 c3 b5 g7 e3 e6 c2 f3 g3 a5 h8 b3 f4 f2 b4 f5 f7 h3 a3 d2 e2 e1 a6 e7 d7 c1 c6 g8"
REVERSI_END = "a4 e8 d8 c8 f8 g6 b8 b6 d6 c7 d3 h7 d1 b1 a1 b2 a2"
"""What follows: searches of the last positions reach the end of the game."""
RESOURCES = {"threads", "memory_mb", "lines", "depth", "selectivity"}
"""Settings of a search that are none of its numbers; other tests set them."""
DEPTH, MEMORY_MB = {"chess": 9, "reversi": 7}, {"chess": 0.1, "reversi": 0.02}
BESIDE = {"extension_reach": {"check_extension": 1}}
"""Values of others beside which a constant is looked at: lines that are extended so far are rare where only singular moves are."""
SPENDS_TIME = re.compile("time_.*")
"""These say when no step begins any more, which changes no step: test_alphabeta_time.py looks at them."""
LEVEL = re.compile("probcut_([1-5])")
"""Of ProbCut at one selectivity, to which the others are nothing."""


def chess() -> Any:
    return ChessAlphaBeta("tables")


def reversi() -> Any:
    search = make_search(get_game("reversi"), "alphabeta", {})
    return search._native  # type: ignore[attr-defined]


def positions(game: str) -> list[Any]:
    if game == "chess":
        return [state_from_fen(fen) for fen in FENS]
    states, state, rules = [ReversiState()], ReversiState(), get_game("reversi")
    for word in f"{REVERSI} {REVERSI_END}".split():
        state.play(rules.move_from_text(state, word))
        states.append(state.copy())
    return [*states[:31:5], states[42], *states[46:]]


def searched(game: str, values: Mapping[str, float]) -> Iterator[Any]:
    """What a search says of each of some positions, after the ones before, in a table that is too small for all."""
    search = chess() if game == "chess" else reversi()
    for name, value in {"memory_mb": MEMORY_MB[game], **values}.items():
        search.set(name, value)
    for state in positions(game):
        search.run(state, depth=DEPTH[game], to_end=True)
        info = search.info()
        yield info.nodes, [(line.visits, line.score, tuple(line.pv)) for line in info.lines]


def constants(search: Any) -> dict[str, tuple[float, float, float, str]]:
    """Name -> value, low, high, kind."""
    return {
        name: (value, low, high, kind)
        for name, value, low, high, _, kind in search.options() if name not in RESOURCES
    }  # fmt: skip


def others(value: float, low: float, high: float, kind: str) -> list[float]:
    """Legal values well away from the present one, the nearest first: a bound can make a search very long."""
    wanted = [min(high, 2 * value + 1), max(low, (value - 1) / 3), low, high]
    numbers = [float(round(one)) if kind == "whole" else one for one in wanted]
    return [one for one in dict.fromkeys(numbers) if one != value]


WITH_TABLES = ("tables_depth",)
"""What acts beside endgame tables alone: tests/protocols/test_uci_endgames.py."""


@pytest.mark.parametrize("game", ["chess", "reversi"])
def test_every_constant_acts(game: str) -> None:
    made = {"chess": chess, "reversi": reversi}[game]()
    usual: dict[str, list[Any]] = {}
    idle = []
    for name, (value, low, high, kind) in constants(made).items():
        assert low <= value <= high, name
        if SPENDS_TIME.fullmatch(name) or name in WITH_TABLES:
            continue
        level = int(found[1]) if (found := LEVEL.fullmatch(name)) else 5
        given: dict[str, float] = BESIDE.get(name, {"selectivity": level} if game == "reversi" else {})
        key = str(sorted(given.items()))
        if key not in usual:
            usual[key] = list(searched(game, given))
        changed = (searched(game, {**given, name: one}) for one in others(value, low, high, kind))
        if not any(any(map(ne, each, usual[key])) for each in changed):
            idle.append(name)
    assert not idle, ", ".join(idle)


def test_the_time_of_a_move_is_its_own_test() -> None:
    """No name of SPENDS_TIME is left out there."""
    text = (ROOT / "tests" / "core" / "test_alphabeta_time.py").read_text("utf-8")
    names = {name for name in constants(chess()) if SPENDS_TIME.fullmatch(name)}
    assert not names - set(re.findall(r'"(time_\w+)"', text))


# What is no number of the search: the form of tables and types, and the work of the machine.
STRUCTURE = re.compile(
    r"static constexpr|inline constexpr|static_assert|constexpr (int|std::uint64_t|std::uintptr_t) k|namespace|Kind::whole"
    r"|percent == 100|(percent|\w+_share) / 100"
)
SMALL = {"0", "1", "2", "0.0", "0.5"}
"""Signs, the next ply or move, pairs and halves; what a draw counts."""
APART = {"tuning.hpp", "constants.hpp", "settings.hpp", "table.cpp", "table.hpp"}
"""The homes of numbers, and the bits of the transposition table."""
POSITIONS = ("chess/search_position.hpp", "reversi/search_position.hpp", "reversi/probcut.hpp")
"""What the games' own positions are; the forms of keys, of the half of a depth and of a fitted formula are no numbers of a search."""
FORMS = re.compile(r">> (29|32|48)|std::rotl|shallow_of|numbers\[|std::exp\(")


def test_no_number_hides_in_the_search() -> None:
    """A literal in the search's source is a constant that nobody can tune: it belongs in constants.hpp."""
    found = []
    core = ROOT / "engine" / "core"
    for path in [*sorted((core / "alphabeta").glob("*.?pp")), *(core / name for name in POSITIONS)]:
        if path.name in APART:
            continue
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
            code = re.sub(r'//.*|"[^"]*"', "", line)
            if code.startswith("#") or STRUCTURE.search(code) or re.match(r"\s*\.\w+ = ", code):
                continue
            if f"{path.parent.name}/{path.name}" in POSITIONS and FORMS.search(code):
                continue
            literals = re.findall(r"(?<![\w.])\d[\d.']*(?:e\d+)?(?![\w.])", code)
            found += [f"{path.name}:{number}: {one}" for one in literals if one not in SMALL]
    assert not found, "\n".join(found)


def test_what_acts_in_one_game_alone_is_listed_there_alone() -> None:
    """ProbCut by shallow searches is Reversi's; whoever sets it for chess is told that there is no such option."""
    named = {game: {one.name for one in options_of(get_game(game))} for game in ("chess", "reversi")}
    assert "alphabeta.selectivity" in named["reversi"] - named["chess"]
    assert "alphabeta.null_depth" in named["chess"] - named["reversi"]
    assert "alphabeta.window" in named["chess"] & named["reversi"]
    assert {"alphabeta.see_pawn", "alphabeta.order_capture"} <= named["chess"] - named["reversi"]
    assert {"alphabeta.order_a1", "alphabeta.solver_empties"} <= named["reversi"] - named["chess"]
    with pytest.raises(ValueError, match=r"^unknown option 'alphabeta\.selectivity'"):
        make_search(get_game("chess"), "alphabeta", {"alphabeta.selectivity": 3})
