"""`tengen play` and `tengen watch`: typed games, the board in letters and in colour, seats, saving and going on."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from checkout import needs_openvino

from tengen.engine import records
from tengen.engine.config import Config, ConfigError
from tengen.engine.games import GAMES, get_game
from tengen.engine.games.base import IllegalMove
from tengen.tools import cli
from tengen.tools.play import messages
from tengen.tools.play.board import cells_of, cells_of_move, look_of
from tengen.tools.play.console import GameConsole
from tengen.tools.play.cursor import BoardCursor
from tengen.tools.play.rendering import board_rows, text_of, width_of
from tengen.tools.play.seats import Own, Person, Program, SeatError, seat_of
from tengen.tools.play.table import Table, new_live, table_of

FAST = ["--playouts", "10", "--threads", "1", "--seed", "1", "--memory", "80", "--net", "none"]
MOVES = {"go": ("d4", "pass"), "gomoku": ("h8", "i9"), "reversi": ("f5", "d6"), "chess": ("e4", "Nf6")}


def table(game: str, *moves: str, size: int | None = None) -> Table:
    """A board of two people."""
    config = Config(game=game, playouts=10, threads=1, seed=1, memory=80)
    made = Table(new_live(config, size), (Person(), Person()), config)
    for move in moves:
        made.play_text(move)
    return made


def typed(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], words: list[str], *lines: str) -> str:
    """What a game says in which these lines are typed; then the input ends."""
    given: Iterator[str] = iter(lines)

    def ask(prompt: str = "") -> str:
        try:
            return next(given)
        except StopIteration:
            raise EOFError from None

    monkeypatch.setattr("builtins.input", ask)
    monkeypatch.setattr("tengen.tools.play.typed.play.__defaults__", (ask,))
    assert cli.main(words) == 0
    return capsys.readouterr().out


@pytest.mark.parametrize("game", GAMES)
def test_a_typed_game_of_each_kind(
    game: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A move, the answer, a hint, undo, a mistake, saving; then it is gone on with."""
    first = MOVES[game][0]
    target = tmp_path / ("a.pgn" if game == "chess" else "a.sgf")
    lines = ("xyzzy", first, "hint 2", "undo", first, "level 1", f"save {target}", "moves", "help", "quit")
    said = typed(monkeypatch, capsys, ["play", game, *FAST], *lines)
    assert "xyzzy" in said and "plays" in said and "Taken back: 2." in said and f"Saved: {target}." in said
    assert "a  " in said and "level 1 plays from now on" in said and "undo" in said
    record = records.read(target)
    assert record.game == game and len(record.moves) == 2
    said = typed(monkeypatch, capsys, ["play", str(target), *FAST], "resign", "undo", "quit")
    assert "resigns" in said and "The game goes on." in said and "Saved" in said


def test_the_board_in_letters() -> None:
    reversi = table("reversi", "f5")
    rows = text_of(board_rows(reversi.game, reversi.live.state, messages.marks_of(reversi), has_colour=False)).split(
        "\n"
    )
    assert rows[0].split() == list("abcdefgh") and rows[1].split()[0] == "1"
    assert rows[5].split() == ["5", ".", ".", ".", "X", "X", "X<.", ".", "5"]
    chess = table("chess", "e4")
    rows = text_of(board_rows(chess.game, chess.live.state, messages.marks_of(chess), has_colour=False)).split("\n")
    assert rows[1].split() == ["8", *"rnbqkbnr", "8"] and rows[5].split() == ["4", *"....", "P<.", ".", ".", "4"]


@pytest.mark.parametrize("game", GAMES)
def test_the_board_fits_sixty_columns(game: str) -> None:
    played = table(game, MOVES[game][0])
    rows = board_rows(played.game, played.live.state, messages.marks_of(played, cursor=0))
    assert width_of(rows) <= 60 and len({sum(map(len, (text for _, text in row))) for row in rows[1:-1]}) == 1
    assert all(ink.rich() or ink == ("", "", False) for row in rows for ink, _ in row)


@pytest.mark.parametrize("game", GAMES)
def test_cells_of_moves_are_where_the_board_shows_them(game: str) -> None:
    played = table(game)
    before = cells_of(played.game, played.live.state)
    played.play_text(MOVES[game][0])
    after = cells_of(played.game, played.live.state)
    (*_, end) = cells_of_move(played.game, played.live.state, played.live.moves[-1][1])
    assert before[end] == "." and after[end] != "."


def test_undo_goes_back_to_the_person() -> None:
    game = table("go", "d4", "q16", "c3", size=19)
    game.seats[1] = seat_of("random", game.game, game.config)
    assert game.undo() == 1 and game.undo() == 2
    with pytest.raises(ValueError, match="nothing to take back"):
        game.undo()


def test_forced_passes_are_played() -> None:
    """Black has no move after this opening: White moves again."""
    game = table("reversi", *"f5 f6 e6 f4 e3 c5 c4 e7 c6 e2".split())
    assert not game.forced_pass() and not game.is_over
    with pytest.raises(ValueError, match="cannot be played"):
        game.play_text("pass")


def test_results() -> None:
    mate = table("chess", "f3", "e5", "g4", "Qh4#")
    assert mate.is_over and mate.record_result() == "0-1" and mate.result_text() == "Black wins"
    with pytest.raises(IllegalMove, match="over"):
        mate.play(0)
    go = table("go", "d4", "pass", "pass", size=7)
    assert go.record_result().startswith("B+") and "Black wins by" in go.result_text()
    five = table("gomoku", *"h8 a1 i8 b1 j8 c1 k8 d1 l8".split())
    assert five.record_result() == "B+" and five.is_over
    five.undo()
    five.resign()
    assert five.record_result() == "W+R" and five.result_text() == "Black resigns: White wins"


def test_a_piece_is_chosen_by_two_presses() -> None:
    chess = table("chess")
    cursor = BoardCursor(chess)
    cursor.cell = 52  # e2
    assert cursor.press() == "" and cursor.held == 52
    cursor.step(-2, 0)
    assert cursor.press() == "e2e4"
    cursor.cell = 4
    assert cursor.press() == "" and cursor.held is None  # the other side's king


def test_seats_and_their_names() -> None:
    go, config = get_game("go"), Config(playouts=10, memory=80)
    assert seat_of("person", go, config).is_person
    own = seat_of("uct:3", go, config)
    assert isinstance(own, Own) and own.level == 3 and own.name == "Tengen uct level 3"
    with pytest.raises(ValueError, match="did you mean 'uct'"):
        seat_of("uctt", go, config)
    with pytest.raises(ConfigError, match="unknown setting"):
        seat_of("cmd=x colour=red", go, config)


@pytest.mark.timing
def test_another_program_plays() -> None:
    command = f"{sys.executable} -m tengen.tools gtp --game reversi --player random --threads 1 --memory 80"
    game = table("reversi", "f5")
    program = seat_of(command, game.game, game.config)
    assert isinstance(program, Program)
    game.seats[1] = program
    try:
        game.decide()
        assert len(game.live.moves) == 2
        game.play(game.live.state.legal_moves()[0])
        game.decide()
        assert len(game.live.moves) == 4
    finally:
        game.close()


def test_a_program_that_ends_leaves_the_game() -> None:
    game = table("go", size=9)
    game.seats[0] = seat_of(f"{sys.executable} -c pass", game.game, game.config)
    with pytest.raises(SeatError):
        game.decide()
    assert not game.live.moves
    game.close()


def test_watch(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = tmp_path / "w.sgf"
    words = ["watch", "random", "uct:1", "--game", "gomoku", "--moves", "4", "--save", str(target), "--memory", "80"]
    assert cli.main(words) == 0
    assert capsys.readouterr().out.count("plays") == 4
    assert records.read(target).players == ("Tengen random level 3", "Tengen uct level 1")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["play", "chses"], "unknown game 'chses' (did you mean 'chess'?)"),
        (["play", "go", "--size", "1"], "--size: 1 is not between 2 and 25"),
        (["play", "chess", "--size", "9"], "size: there is no board of 9"),
        (["play", "chess", "--komi", "6"], "komi: chess has none"),
        (["play", "nothing.sgf"], "cannot read 'nothing.sgf'"),
        (["watch", "uct", "nobody:9x"], "unknown player 'nobody:9x'"),
    ],
)
def test_mistakes_are_one_sentence(words: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(words) == 2
    assert said in (told := capsys.readouterr().err) and told.count("\n") == 1


def test_games_of_files(tmp_path: Path) -> None:
    """Set-ups, handicap, a game that ends with an illegal move."""
    sgf = "(;GM[1]SZ[9]HA[2]KM[0.5]AB[cc][gg]PL[W];W[ee];B[ee])"
    record = records.get_format("sgf").loads(sgf)
    made, said = table_of(record, (Person(), Person()), Config(memory=80))
    assert said.startswith("move 2 is illegal") and len(made.live.moves) == 1 and made.live.komi == 0.5
    again = made.record()
    assert again.setup == record.setup and again.moves == record.moves[:1]
    position = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"
    chess = records.get_format("fen").loads(position)
    made, said = table_of(chess, (Person(), Person()), Config(game="chess", memory=80))
    made.play_text("e4")
    assert not said and made.record().position.startswith("4k3/8")


def test_leaving_loses_nothing(tmp_path: Path) -> None:
    console = GameConsole(table("go", size=9))
    console.type("e5")
    assert "is not saved" in console.type("quit") and not console.is_done
    assert console.type("quit") == "" and console.is_done
    console = GameConsole(table("go", size=9))
    console.type("e5")
    console.type(f"save {tmp_path / 'a.sgf'}")
    assert console.type("quit") == "" and console.is_done


def test_what_players_do_not_share_of_a_strength() -> None:
    """A rank goes over to players that have ranks, to others what is usual there."""
    go = get_game("go")
    base = Config(net="none", rank="5k")
    for word, strength in (("uct", (3, None)), ("random", (3, None)), ("puct", (None, "5k")), ("puct:2D", (None, "2D")),
                           ("puct:4", (4, None)), ("uct:7", (7, None))):  # fmt: skip
        name, colon, _ = word.partition(":")
        if name == "puct":
            needs_openvino()
        seat = seat_of(word, go, base if name != "puct" else replace(base, net="tengen-go-9"))
        assert isinstance(seat, Own) and (seat.level, seat.rank) == strength
        seat.close()
    with pytest.raises(ConfigError, match="rank: '99k' is not one of 25k to 3d"):
        seat_of("puct", go, replace(base, net="tengen-go-9", rank="99k"))
    seat = seat_of("puct", go, replace(base, net="tengen-go-9", rank="12 Kyu"))
    assert isinstance(seat, Own) and seat.player.level == go.players["puct"].ranks["12k"]
    seat.close()
    with pytest.raises(ValueError, match="unknown player 'uct:5k'|no such"):
        seat_of("uct:5k", go, base)


def test_words_are_told() -> None:
    console = GameConsole(table("go", size=9))
    assert (
        console.type("") == ""
        and "level, rank" in console.type("?")
        and "level N" in GameConsole(table("gomoku")).type("?")
    )
    assert console.type("level x") == "Level is followed by a number, 1 the weakest."
    assert console.type("level 3") == "Nobody of ours plays here."
    assert console.type("e5") == "" and console.type("e5").startswith("E5 cannot be played: occupied")
    assert look_of(console.table.game).sides[0] in console.type("score")
