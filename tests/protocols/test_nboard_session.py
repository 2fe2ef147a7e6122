"""NBoard conversations with the real player, in this process: what each command answers."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from nboard_client import ggf, say

from tengen.engine.config import Config
from tengen.engine.games import get_game
from tengen.engine.play.player import Player
from tengen.protocols.nboard.notation import Played
from tengen.protocols.nboard.position import Position

QUICK = Config(game="reversi", memory=80, threads=1, seed=1, playouts=40)
PASS_NEXT = "D3 C3 E6 D2 D1 E1 B2 C1"
"""Black must pass after these moves."""
SINGLE_NEXT = "E6 F4 G3 C6 C4"
"""White has one move after these, F3."""
WIPED_OUT = "D3 C3 F5 F4 F3 D2 D1 E3 B3"
"""Black has won 64-0."""


def position_after(*lines: str) -> Player:
    player = Player(QUICK)
    assert [line for line in say(*lines, player=player) if not line.startswith("status")] == []
    return player


def test_greeting_and_depth() -> None:
    assert say("nboard 2", "nboard 1", "nboard", "set depth 12") == ["set myname Tengen"] * 3 + ["set myname Tengen12"]
    assert say("nboard 2", "set depth 3", config=Config(game="reversi", name="My Bot")) == [
        "set myname MyBot", "set myname MyBot3",
    ]  # fmt: skip


@pytest.mark.parametrize("options, expected", [
    ({}, 1140), ({"playouts": 70}, 70), ({"level": 3}, None),
])  # fmt: skip
def test_depth_sets_playouts_unless_an_option_does(options: dict[str, int], expected: int | None) -> None:
    config = Config(game="reversi", player="uct", memory=80, threads=1, **options)
    player = Player(config)
    say("set depth 6", config=config, player=player)
    assert player.config.playouts == expected


SILENT = [
    "", "   ", "\r", "bogus", "NBOARD 2", "Move F5", "set", "set nothing", "set contempt 50", "set contempt x", "ping",
    "ping x", "pong 3", "# comment", "quitting", "\x00\x01\x1b[31m", "go\x00",
]  # fmt: skip


@pytest.mark.parametrize("text", SILENT)
def test_what_is_no_command_is_ignored(text: str) -> None:
    assert say(text, "ping 1") == ["pong 1"]


def test_garbage_bytes_are_ignored() -> None:
    rng = random.Random(3)
    lines = [bytes(rng.randrange(256) for _ in range(rng.randrange(60))).replace(b"\n", b"") for _ in range(300)]
    assert say(*lines, "ping 5") == ["pong 5"]


@pytest.mark.parametrize("number, answer", [("7", "7"), ("0", "0"), ("-3", "-3"), ("007", "7"), ("9 9", "9")])
def test_ping(number: str, answer: str) -> None:
    assert say(f"ping {number}") == [f"pong {answer}"]


def test_after_quit_nothing_is_answered() -> None:
    assert say("quit", "ping 1") == []


# -- the position


GAMES = [
    ("", 0, 0),
    ("F5 F6 D3", 3, 1),
    ("f5//0.01 f6/1.25/0.5 D3/-2", 3, 1),
    (f"{PASS_NEXT} PA D6", 10, 0),
    (f"{PASS_NEXT} pass D6", 10, 0),
]


@pytest.mark.parametrize("moves, count, to_move", GAMES)
def test_set_game(moves: str, count: int, to_move: int) -> None:
    player = position_after(ggf(moves))
    assert (len(player.moves), player.state.to_move) == (count, to_move)


def test_a_game_with_every_tag_blanks_in_the_board_and_lower_case() -> None:
    rows = "-------- -------- -------- ---O*--- ---*O--- -------- -------- --------"
    tags = "TB[10]TW[20:00/1]RB[2196.37]RW[2200]CO[?]KB[-1]KW[+1]KM[?]DR[x]PZ[y]"
    text = ggf("f5//1 d6", board=f"8 {rows} *", time="5:00//2:00", tags=tags)
    player = position_after("set game " + text.removeprefix("set game ").lower())
    assert len(player.moves) == 2
    assert position_after("set game 1 " + ggf("F5").removeprefix("set game ")).state.to_move == 1


def test_a_game_that_begins_elsewhere() -> None:
    board = "8 " + "*" * 62 + "O- O"
    player = position_after(ggf(board=board))
    assert player.state.to_move == 1 and player.state.stones().count(0) == 1
    player = position_after(ggf("F5 F6"), ggf(board=board), ggf("F5"))
    assert len(player.moves) == 1 and player.state.stones().count(0) == 59


def test_forty_moves_with_passes_at_once_and_one_by_one() -> None:
    whole, single = random_game(7), Player(QUICK)
    text = " ".join(whole)
    assert "PA" in whole and len(whole) >= 40
    player = position_after(ggf(text))
    say(ggf(), *(f"move {move}" for move in whole), player=single)
    assert player.state.state_key == single.state.state_key and player.moves == single.moves
    bare = Player(QUICK)
    say(*(move for move in whole if move != "PA"), player=bare)  # version 1, and passes left out
    assert bare.state.state_key == player.state.state_key and bare.moves == player.moves


def random_game(seed: int) -> list[str]:
    """A whole game in which somebody passes before the 60th move."""
    for number in range(seed, seed + 2000):
        player, rng, words = Player(QUICK), random.Random(number), []
        state = player.state.copy()
        while not state.is_terminal():
            move = rng.choice(list(state.legal_moves()))
            words.append("PA" if move == 64 else player.game.move_to_text(state, move).upper())
            state.play(move)
        if "PA" in words[:55]:
            return words
    raise AssertionError


@pytest.mark.parametrize(
    "text", ["move F5/1.2/3", "move f5//0.1", "move F5", "F5", "f5/1/2", " move  F5 ", "move F5\r"]
)
def test_every_form_of_a_move(text: str) -> None:
    assert position_after(text).moves == ((0, 37),)


@pytest.mark.parametrize("text", ["PA", "move PA", "move PASS", "move --", "pass", "--", "move pa//0.5", "PAS"])
def test_every_form_of_a_pass(text: str) -> None:
    assert position_after(ggf(PASS_NEXT), text).moves[-1] == (0, 64)


REFUSED = [
    ("move A1", "status A1 is illegal: flips nothing"),
    ("A1", "status A1 is illegal: flips nothing"),
    ("move PA", "status PA is illegal: pass is not allowed"),
    ("move D4", "status D4 is illegal: occupied"),
    ("move", "status '' is not a move"),
    ("move zz", "status 'zz' is not a move"),
    ("set depth x", "status the depth is not a number"),
    ("set depth", "status the depth is not a number"),
    ("set game", "status cannot take the game: *"),
    ("set game (;GM[Othello]", "status cannot take the game: *"),
    ("set game (;GM[Go]SZ[9];)", "status cannot take the game: *"),
    ("set game (;GM[Othello]BO[10 " + "-" * 100 + " *];)", "status cannot take the game: the board is 10x10, not 8x8"),
    (ggf("F5 A1"), "status cannot take the game: move 2 is illegal: flips nothing"),
    ("set game ../../x", "status cannot take the game: *"),
    ("set game " + "(" * 200_000, "status cannot take the game: *"),
    ("move " + "9" * 2_000_000, "status move: the line is too long"),
]


@pytest.mark.parametrize("text, answer", REFUSED, ids=lambda value: value[:40])
def test_a_refusal_is_a_status_and_changes_nothing(text: str, answer: str) -> None:
    player = Player(QUICK)
    got = (
        say("move F5", "move D6", text, player=player)
        if text.startswith("set game (;GM[Othello]DT")
        else say(text, player=player)
    )
    assert len(got) == 1 and re.fullmatch(re.escape(answer).replace(r"\*", ".*"), got[0])
    assert player.moves in ((), ((0, 37), (1, 43)))


def test_a_new_game_that_goes_on_keeps_the_tree() -> None:
    player = Player(QUICK)
    cleared: list[int] = []
    forget = player._searches.forget
    player._searches.forget = lambda: (cleared.append(1), forget())[1]  # type: ignore[func-returns-value]
    say(ggf("F5"), "go", ggf("F5 D6"), ggf("F5 D6 C3"), ggf("F5"), player=player)
    assert cleared == [] and len(player.moves) == 1


# -- thinking

SEARCH = re.compile(r"search (?:[A-H][1-8]|PA)(?:[A-H][1-8]|PA)* -?\d+\.\d\d 0 (?:\d+|100%W?) .+")


def test_hint() -> None:
    got = say(ggf("F5"), "hint 3")
    assert got[0].startswith("status ") and got[0] != "status" and got[-1] == "status"
    searches = [line for line in got if line.startswith("search ")]
    assert all(SEARCH.fullmatch(line) for line in searches)
    assert {line[7:9] for line in searches} == {"D6", "F4", "F6"}
    assert any(re.fullmatch(r"nodestats \d+ \d+\.\d\d", line) for line in got)


@pytest.mark.parametrize("count, lines", [("1", 1), ("2", 2), ("100", 4), ("", 1), ("x", 1), ("0", 1), ("-5", 1)])
def test_hint_tells_as_many_moves_as_wanted(count: str, lines: int) -> None:
    last = "\n".join(say(f"hint {count}")).rpartition("nodestats")[0].rpartition("nodestats")[2]
    assert last.count("search ") == lines


def test_hint_tells_each_iteration() -> None:
    config = Config(game="reversi", player="uct", memory=80, threads=1)
    got = say("set depth 10", "hint 2", config=config)
    depths = [int(line.split()[4]) for line in got if line.startswith("search ")]
    assert depths == [depth for depth in range(4, 11) for _ in range(2)]


def test_hint_in_a_finished_game() -> None:
    assert say(ggf(WIPED_OUT), "hint 2") == ["status The game is over"]


def test_hint_without_a_depth_or_a_game() -> None:
    assert any(SEARCH.fullmatch(line) for line in say("hint 1", config=Config(game="reversi", time=0.05, memory=80)))


def test_go_does_not_play() -> None:
    player = Player(QUICK)
    got = say("move F5", "go", player=player)
    assert re.fullmatch(r"=== (D6|F4|F6)/-?\d+\.\d\d/\d+\.\d\d", got[-1])
    assert len(player.moves) == 1
    assert any(SEARCH.fullmatch(line) for line in got)


ANSWERS = [
    (PASS_NEXT, r"=== PA"),
    (SINGLE_NEXT, r"=== F3//\d+\.\d\d"),
    (WIPED_OUT, r"=== PA"),
]


@pytest.mark.parametrize("moves, answer", ANSWERS)
def test_what_is_forced_needs_no_thought(moves: str, answer: str) -> None:
    got = say(ggf(moves), "go")
    assert len(got) == 1 and re.fullmatch(answer, got[0])


def test_evaluations_are_the_movers() -> None:
    """One empty cell, h8; Black takes it and wins 64-0, or White does."""
    for disc, other, side in (("*", "O", "*"), ("O", "*", "O")):
        board = [disc] * 64
        board[62], board[63], board[6], board[7] = other, "-", other, "-"
        line = next(
            line for line in say(ggf(board=f"8 {''.join(board)} {side}"), "hint 1") if line.startswith("search ")
        )
        assert float(line.split()[2]) > 50, line


def test_analyze() -> None:
    player = Player(QUICK)
    got = [line for line in say(ggf(WIPED_OUT), "analyze", player=player) if line.startswith("analysis ")]
    assert [int(line.split()[1]) for line in got] == list(range(9, -1, -1))
    assert all(re.fullmatch(r"analysis \d+ -?\d+\.\d\d", line) for line in got)
    assert got[0] == "analysis 9 64.00" and len(player.moves) == 9


def test_analyze_counts_passes_and_is_black_s_view() -> None:
    swapped = "8 " + "".join({"-": "-", "O": "*", "*": "O"}[c] for c in "-" * 27 + "O*------*O" + "-" * 27)
    moves = "".join(f"{'WB'[n % 2]}[{move}]" for n, move in enumerate(WIPED_OUT.split()))
    game = f"set game (;GM[Othello]BO[{swapped} O]{moves};)"
    assert say(game, "analyze")[1] == "analysis 9 -64.00"
    got = say(ggf(f"{PASS_NEXT} PA D6"), "analyze")
    assert sum(line.startswith("analysis ") for line in got) == 11


def test_learn() -> None:
    assert say("learn") == ["learned"]


def test_the_clock_of_the_game_is_obeyed() -> None:
    config = Config(game="reversi", memory=80, threads=1)
    for time in ("0:20", "0:06//0:10"):
        player = Player(config)
        spent = sum(
            float(say(ggf(moves, time=time), "go", config=config, player=player)[-1].rpartition("/")[2])
            for moves in ("F5", "F5 D6 C3 D3 C4")
        )
        assert spent < 4


def test_times_of_the_moves_count() -> None:
    config = Config(game="reversi", memory=80, threads=1)

    def seconds(*lines: str) -> float:
        return float(say(*lines, "go", config=config)[-1].rpartition("/")[2])

    assert seconds(ggf("F5//0.1 D6//295 C3//0.1", time="5:00/0/0")) < 0.5
    assert seconds(ggf("F5", time="5:00/0/0"), "move D6//299", "move C3") < 0.5
    assert seconds(ggf("F5 D6//1000 C3", time="5:00/0/0")) < 0.1
    assert 0.2 < seconds(ggf("F5 D6//0 C3//290", time="0:20/0/0")) < 3


def test_our_own_time_counts_when_the_gui_names_none() -> None:
    position = Position(Player(QUICK))
    position.set_game(ggf(time="1:00").removeprefix("set game "))
    position.answered(37, 12.0)
    position.play(Played(37))
    assert position.clock.left(0) == 48
    position.answered(43, 5.0)
    position.play(Played(43, 1.5))
    position.answered(26, 5.0)
    position.play(Played(18))  # not the move that was answered
    assert (position.clock.left(0), position.clock.left(1)) == (48, 58.5)


def test_a_broken_player_is_reported_and_answers() -> None:
    player = Player(QUICK)
    player.genmove = lambda *words, **options: 1 // 0  # type: ignore[method-assign]
    got = say("go", "hint 1", "ping 3", player=player, errors=True)
    assert "status internal error: ZeroDivisionError" in got and got[-1] == "pong 3"
    assert any(re.fullmatch("=== (D3|C4|F5|E6)", line) for line in got)


def test_real_games_are_taken(shared: Callable[[str], Path]) -> None:
    """Games of GGS, as they are and with their passes left out; both end in the same position."""
    lines = shared("data/othello/ntest_TestGames.ggf").read_text().splitlines()
    games = [line for line in lines if line.strip()]
    assert games
    for text in games:
        player = position_after(f"set game {text}")
        assert player.state.is_terminal() and len(player.moves) >= 55
        other = position_after("set game " + re.sub(r"[BW]\[(?i:pa|pass|--)[^]]*\]", "", text))
        assert other.state.state_key == player.state.state_key


def test_endings_are_told_to_the_disc() -> None:
    """The first position of the FFO suite, 14 cells empty: G8 wins by 18, the next best move H1 by 12."""
    board = "--*****--OOO**-O-OOO**O*-O*O*O**O***O***--*O*O**-***OOO--OOOOO--"
    config = Config(game="reversi", memory=96, threads=1)
    got = say(ggf(board=f"8 {board} *"), "set depth 20", "hint 2", "go", config=config)
    assert any(re.match(r"search G8\S+ 18\.00 0 100% ", line) for line in got)
    assert any(re.match(r"search H1\S+ 12\.00 0 100% ", line) for line in got)
    assert got[-1].startswith("=== G8/18.00/")


@pytest.mark.parametrize(("count", "scores"), [(4, [18, 12, 6, 6]), (8, [18, 12, 6, 6, 4, -4, -22, -24])])
@pytest.mark.parametrize("depth", [14, 40])
def test_hints_in_an_ending_are_the_best_moves_in_order(count: int, scores: list[int], depth: int) -> None:
    """The same position. A move whose result is known is not told while a better one is not yet solved."""
    board = "--*****--OOO**-O-OOO**O*-O*O*O**O***O***--*O*O**-***OOO--OOOOO--"
    got = say(
        ggf(board=f"8 {board} *"),
        f"set depth {depth}",
        f"hint {count}",
        config=Config(game="reversi", memory=96, seed=1),
    )
    last = "\n".join(got).rpartition("nodestats")[0].rpartition("nodestats")[2].splitlines()[1:]
    found = [re.match(r"search \S+ (\S+) 0 100% ", line) for line in last]
    assert [float(line[1]) for line in found if line] == scores


@pytest.mark.skipif("mix" not in get_game("reversi").players, reason="the player mix is not there")
def test_the_player_mix_tells_its_three_terms() -> None:
    """Scaled over all moves: of four, some one has the best and the worst of each term."""
    config = Config(game="reversi", player="mix", memory=96, threads=1, seed=1)
    got = say(ggf("F5 D6 C3 D3 C4 F4 F6 G5"), "set depth 7", "hint 64", config=config)
    last = "\n".join(got).split("nodestats")[-2].splitlines()[1:]
    terms = [re.search(r"% search (\d\.\d{3}) frontier (\d\.\d{3}) square (\d\.\d{3})$", line) for line in last]
    assert len(terms) == 11 and all(terms)
    for column in (1, 2, 3):
        values = {found[column] for found in terms if found}
        assert {"0.000", "1.000"} <= values or values == {"0.500"}
