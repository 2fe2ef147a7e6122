"""The judge: legality, ends and counts of every game, as rows of moves."""

from __future__ import annotations

import pytest

from tengen.tools.match.game.judge import GoJudge, IllegalMove, Judge
from tengen.tools.match.game.judges import make_judge
from tengen.tools.match.spec import GameSpec, Opening, Reason

GO5 = GameSpec("go", size=5, rules="chinese", komi=0.5)
TT5 = GameSpec("go", size=5, rules="tromp-taylor", komi=0.5)
GOMOKU = GameSpec("gomoku", size=15, rules="freestyle")
REVERSI = GameSpec("reversi", size=8)
CHESS = GameSpec("chess")


def judge_of(game: GameSpec, moves: str = "", position: str | None = None) -> Judge:
    if game.game == "chess":
        pytest.importorskip("chess")
    return make_judge(game, Opening("row", tuple(moves.split()), position))


ILLEGAL = [
    # game, moves before, the move, the reason
    (GO5, "C3", "C3", "occupied"),
    (GO5, "B1 E5 A2 E4", "pass", None),
    (GO5, "B1 E5 A2", "A1", "suicide"),
    (GO5, "", "F6", "no vertex"),
    (GO5, "", "I3", "no vertex"),
    (GO5, "", "?", "no vertex"),
    (GOMOKU, "h8", "H8", "occupied"),
    (GOMOKU, "", "p1", "'p1' is no cell"),
    (GOMOKU, "", "i16", "no cell"),
    (GOMOKU, "", "", "no cell"),
    (GOMOKU, "", "pass", "no cell"),
    (GOMOKU, "", "20,20", "no cell"),
    (GameSpec("gomoku", size=15, rules="renju"), "A1 O15 B1 O13 C1 O11 D1 O9 F1 O7", "E1", "overline"),
    (REVERSI, "", "a1", "flips nothing"),
    (REVERSI, "", "pass", "pass"),
    (CHESS, "e2e4", "e2e4", "illegal"),
    (CHESS, "", "0000", "null"),
    (CHESS, "", "hello", "no move"),
    (CHESS, "e2e4 e7e5 g1f3 b8c6 f1c4 f8c5", "e1h1", None),
    (GameSpec("chess", rules="chess960"), "e2e4 e7e5 g1f3 b8c6 f1c4 f8c5", "e1g1", None),
]


@pytest.mark.parametrize(("game", "before", "move", "reason"), ILLEGAL)
def test_illegal(game: GameSpec, before: str, move: str, reason: str | None) -> None:
    judge = judge_of(game, before)
    if reason is None:
        judge.play(move)
        return
    length = judge.length
    with pytest.raises(IllegalMove, match=reason):
        judge.play(move)
    assert judge.length == length


CYCLE = "B3 A2 C2 B1 B2 A3 A1"
SUPERKO = [("chinese", True), ("chinese-kgs", False), ("aga", True), ("japanese", True)]


@pytest.mark.parametrize(("rules", "is_legal"), SUPERKO)
def test_superko_by_the_rules_in_force(rules: str, is_legal: bool) -> None:
    """On 3x3 White's A2 brings an earlier position back, with the other side to move."""
    judge = judge_of(GameSpec("go", size=3, rules=rules, komi=0.5), CYCLE)
    if is_legal:
        judge.play("A2")
        return
    with pytest.raises(IllegalMove, match="superko"):
        judge.play("A2")


ENDS = [
    # game, moves, result, reason
    (GOMOKU, "A1 O1 B1 O2 C1 O3 D1 O4 E1", "1-0", Reason.FIVE),
    (GOMOKU, "A1 O1 B1 O2 C1 O3 D1 O4 A9 O5", "0-1", Reason.FIVE),
    (GameSpec("gomoku", size=15, rules="standard"), "A1 O1 B1 O3 C1 O5 D1 O7 F1 O9 E1", None, None),
    (CHESS, "f2f3 e7e5 g2g4 d8h4", "0-1", Reason.MATE),
    (CHESS, "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8", "1/2-1/2", Reason.REPETITION),
    (REVERSI, "f5 d6 c5 f4 e7 f6 g5 e6 e3", "1-0", Reason.SCORE),
]


@pytest.mark.parametrize(("game", "moves", "result", "reason"), ENDS)
def test_ends(game: GameSpec, moves: str, result: str | None, reason: Reason | None) -> None:
    words = moves.split()
    judge = judge_of(game)
    for word in words[:-1]:
        judge.play(word)
        assert judge.outcome() is None
    judge.play(words[-1])
    outcome = judge.outcome()
    assert (outcome and outcome.result, outcome and outcome.reason) == (result, reason)


POSITIONS = [
    ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "1/2-1/2", Reason.STALEMATE),
    ("8/8/8/4k3/8/8/4K3/8 w - - 0 1", "1/2-1/2", Reason.MATERIAL),
    ("8/8/8/4k3/8/8/R3K3/8 w - - 100 90", "1/2-1/2", Reason.FIFTY),
    ("8/8/8/4k3/8/8/R3K3/8 w - - 99 90", None, None),
]


@pytest.mark.parametrize(("fen", "result", "reason"), POSITIONS)
def test_ends_of_chess_positions(fen: str, result: str | None, reason: Reason | None) -> None:
    outcome = judge_of(CHESS, position=fen).outcome()
    assert (outcome and outcome.result, outcome and outcome.reason) == (result, reason)


def test_go_counts_without_the_dead() -> None:
    """Black owns the board but for one white stone that cannot live."""
    judge = judge_of(GO5, "B3 E5 C3 pass D3 pass A3 pass E3 pass pass")
    assert isinstance(judge, GoJudge) and judge.is_stopped and judge.outcome() is None
    alive, dead = judge.count(), judge.count(["E5", "nonsense", "A1"])
    assert (alive.score, dead.score) == (13.5, 24.5)  # 15 to 1, or all 25; komi 0.5
    judge.resume()
    assert not judge.is_stopped
    judge.play("D5")
    assert judge.length == 12


def test_reversi_forces_the_pass() -> None:
    """Black to move has nothing; White has."""
    position = "OX" + "-" * 62 + " O;"  # white a1, black b1: white takes by c1, black has no move
    judge = judge_of(REVERSI, position=position)
    assert judge.forced() is None and not judge.is_first_to_move
    judge = judge_of(REVERSI, position="OX" + "-" * 62 + " X;")
    assert judge.forced() == "pass"
    judge.play("pass")
    assert judge.play("C1") == "c1"
    outcome = judge.outcome()
    assert outcome is not None and (outcome.result, outcome.score) == ("0-1", -64)


@pytest.mark.parametrize(
    ("game", "opening"),
    [
        (GO5, Opening("x", ("C3", "C3"))),
        (GameSpec("go", size=99), Opening("x")),
        (GameSpec("go", size=9, rules="moon"), Opening("x")),
        (GO5, Opening("x", (), "some position")),
        (REVERSI, Opening("x", (), "some position")),
        (GameSpec("reversi", size=10), Opening("x")),
        (CHESS, Opening("x", (), "9/9 w")),
        (CHESS, Opening("x", (), "8/8/8/8/8/8/8/8 w - - 0 1")),
        (CHESS, Opening("x", ("e2e5",))),
    ],
)
def test_what_does_not_fit_is_told(game: GameSpec, opening: Opening) -> None:
    if game.game == "chess":
        pytest.importorskip("chess")
    with pytest.raises(ValueError, match=r"\w+ \w+"):
        make_judge(game, opening)
