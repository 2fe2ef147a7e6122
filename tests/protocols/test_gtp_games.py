"""GTP for the other games: what belongs to one game alone, changing games, forced passes, records."""

from __future__ import annotations

import dataclasses
import io
import tempfile
from pathlib import Path

import pytest
from gtp_client import Process, matches
from transcripts import replay

from tengen.engine.config import Config
from tengen.protocols.gtp import Gtp
from tengen.protocols.gtp.registry import COMMANDS
from tengen.protocols.session import Session

DATA = Path(__file__).parent.parent / "data" / "gtp" / "games"
QUICK = "--time", "0.05", "--seed", "1", "--threads", "1", "--memory", "80"
STARTED_WITH = {"reversi": "reversi", "gogui": "reversi", "quarry": "go", "gomoku": "gomoku", "renju": "gomoku"}
OPTIONS = {"renju": ("--rules", "renju")}


def say(text: str, game: str = "reversi", **options: object) -> list[str]:
    """Send lines, separated by ";", to a new session with the real player; its responses without their blank lines."""
    config = Config(game=game, playouts=30, threads=1, seed=1, memory=80, **options)  # type: ignore[arg-type]
    out, err = io.BytesIO(), io.StringIO()
    with tempfile.TemporaryFile(buffering=0) as script:
        script.write("\n".join(part.strip() for part in text.split(";")).encode())
        script.seek(0)
        assert Session(Gtp(config)).run(script, out, err) == 0
    assert err.getvalue() == ""
    return [response.removesuffix(" ") for response in out.getvalue().decode().split("\n\n")[:-1]]


@pytest.mark.parametrize("name", sorted(path.stem for path in DATA.glob("*.transcript")))
def test_transcript(name: str) -> None:
    with Process("--game", STARTED_WITH[name], *OPTIONS.get(name, ()), *QUICK) as talk:
        replay(talk, DATA / f"{name}.transcript")


EARLY_PASS = "gogui-play_sequence b d3 w c3 b e6 w d2 b d1 w e1 b b2 w c1"
"""Black must pass after these."""
WIPED_OUT = "gogui-play_sequence b d3 w c3 b f5 w f4 b f3 w d2 b d1 w e3 b b3"
TABLE = [
    ("play b f5", "="),
    ("play B F5; play White F4", "="),
    ("play b f5; play b d3", "="),
    ("play b a1", "? illegal move: flips nothing"),
    ("play b d4", "? illegal move: occupied"),
    ("play b i5", "? invalid color or coordinate"),
    ("play b a9", "? invalid color or coordinate"),
    ("play b pass", "? illegal move: pass is not allowed"),
    ("play b resign", "="),
    ("play b --", "? illegal move: pass is not allowed"),
    (f"{EARLY_PASS}; play b PASS", "="),
    (f"{EARLY_PASS}; play b pass; play w pass", "? illegal move: pass is not allowed"),
    (f"{EARLY_PASS}; genmove b", "= PASS"),
    (f"{EARLY_PASS}; reg_genmove b; gogui-rules_side_to_move", "= b"),
    (f"{EARLY_PASS}; kata-search b", "= PASS"),
    (f"{EARLY_PASS}; genmove w; gogui-rules_side_to_move", "= b"),
    (f"{EARLY_PASS}; genmove w; undo; gogui-rules_legal_moves", "= pass"),
    (f"{EARLY_PASS}; genmove w; gg-undo 9; undo", "? cannot undo"),
    (f"{EARLY_PASS}; play w d6; play b c6; gg-undo 2; gogui-rules_legal_moves", "= pass"),
    (f"{EARLY_PASS}; play w d6; clear_board; play b d3; undo; undo", "? cannot undo"),
    (f"{EARLY_PASS} w d6; undo; gogui-rules_legal_moves", "= pass"),
    (f"{EARLY_PASS} w a1; gogui-rules_legal_moves", "= D3 C4 F5 E6"),
    (f"{EARLY_PASS}; play w a1; gogui-rules_legal_moves", "= pass"),
    (f"{WIPED_OUT}; final_score", "= B+64"),
    (f"{WIPED_OUT}; play w pass; play b pass; final_score", "= B+64"),
    (f"{WIPED_OUT}; genmove w; genmove b; undo; final_score", "= B+6"),
    (f"{WIPED_OUT}; play w a1", "? illegal move: game over"),
    ("play b e6; play w f4; play b g3; play w c6; play b c4; genmove w", "= F3"),
    ("final_score", "= 0"),
    ("play b f5; final_score", "= B+3"),
    ("komi 7.5; final_score", "= 0"),
    ("komi 7.5; komi -3; final_score", "= 0"),
    ("komi x", "? komi not a float"),
    ("boardsize 19", "? unacceptable size"),
    ("rectangular_boardsize 8 8", "="),
    ("genmove", "? invalid color"),
    ("set_position b a1 w b1; gogui-rules_legal_moves", "= C1"),
    ("set_position; gogui-rules_legal_moves", "= D3 C4 F5 E6"),
    ("gogui-setup b a1 w b1; gogui-setup_player w; gogui-rules_side_to_move", "= w"),
    ("gogui-setup b d4", "? Illegal stone placements - overlapping stones or stones with no liberties?"),
    ("time_settings 60 0 0; time_left b 50 0; genmove b; genmove w", "= *"),
    ("gomill-describe_engine", "= Tengen *"),
    ("tengen-param maxVisits 10; genmove b; gomill-explain_last_move", "= * visits, * to win, score *"),
    (
        "set_game go; boardsize 3; set_position b b1 b a2 b b2 b c2 b b3; genmove b; gomill-explain_last_move",
        "= passes: nothing but own eyes is left to fill; *",
    ),
    ("set_game", "? unknown game ''; there are: Go, *"),
    ("set_game gO; query_boardsize; set_game Othello; query_boardsize", "= 8"),
    ("tengen-param maxVisits 10; set_game go; kata-get-param maxVisits", "= 10"),
    ("list_games", "= Go\n*Othello*"),
]


@pytest.mark.parametrize("text, expected", TABLE)
def test_reversi(text: str, expected: str) -> None:
    assert matches(expected.replace("\n", "|"), say(text)[-1].replace("\n", "|"))


GO_ALONE = """fixed_handicap place_free_handicap set_free_handicap get_handicap final_status_list tengen-ownership kgs-rules
    kgs-game_over kgs-genmove_cleanup kata-get-rules kata-set-rules kata-set-rule get_komi tengen-chain"""


def test_what_belongs_to_go_is_for_go_alone() -> None:
    listed = set(say("list_commands")[0].removeprefix("= ").split("\n"))
    assert not listed & set(GO_ALONE.split())
    in_go = set(say("list_commands", "go")[0].removeprefix("= ").split("\n"))
    assert set(GO_ALONE.split()) <= in_go
    assert {name for name in listed | in_go if name.startswith("gogui-rules_")} == listed - in_go
    assert not set(say("list_commands", "gomoku")[0].removeprefix("= ").split("\n")) & set(GO_ALONE.split())
    for name in GO_ALONE.split():
        assert say(f"7 {name} 2; known_command {name}") == [f"?7 {name} belongs to go, this is reversi", "= false"]


@pytest.mark.parametrize("game", ["go", "reversi", "gomoku"])
def test_every_analyze_command_is_listed(game: str) -> None:
    listed, menu = say("list_commands; gogui-analyze_commands", game)
    for line in menu.removeprefix("= ").split("\n"):
        assert line.split("/")[2].split()[0] in listed.removeprefix("= ").split("\n")


def test_commands_name_games_that_exist() -> None:
    from tengen.engine.games import GAMES

    assert {game for command in COMMANDS.values() for game in command.games} <= set(GAMES)


def test_the_settings_of_one_game_stay_with_it() -> None:
    text = "set_game go; gomill-describe_engine; set_game reversi; gomill-describe_engine"
    got = say(text, player="random", set={"random.seed": 5})
    assert "player None" in got[1] and "player random" in got[3]
    assert "rules japanese" in say("set_game othello; set_game go; gomill-describe_engine", "go", rules="japanese")[2]


def test_a_game_that_cannot_be_played_leaves_the_old_one(monkeypatch: pytest.MonkeyPatch) -> None:
    from tengen.engine.games import GAMES, get_game
    from tengen.engine.games.players import Entry

    broken = dataclasses.replace(get_game("reversi"), name="broken", gogui_id="Broken", players={"x": Entry("?")})  # type: ignore[type-var]
    monkeypatch.setitem(GAMES, "broken", broken)
    monkeypatch.setattr(type(broken), "check_size", lambda game, width, height: (_ for _ in ()).throw(ValueError("no")))
    assert say("set_game broken; query_boardsize", "go") == ["? cannot play: no", "= 19"]


def test_analysis_in_reversi() -> None:
    got = say("kata-genmove_analyze b 10 ownership true; lz-analyze w 10; name")
    assert got[0].startswith("=\ninfo move ") and got[0].splitlines()[-1].split()[0] == "play"
    assert got[1].startswith("=") and got[2] == "= Tengen"


def test_a_whole_game_of_moves_that_the_engine_chooses() -> None:
    with Process("--game", "reversi", "--playouts", "20", "--threads", "1", "--seed", "3") as talk:
        passes = turns = 0
        while passes < 2:
            answer = talk.ask(f"genmove {'bw'[turns % 2]}")
            assert answer.startswith("= ") and answer != "= resign"
            passes = passes + 1 if answer == "= PASS" else 0
            turns += 1
            assert turns < 130
        assert talk.ask("gogui-rules_legal_moves") == "="
        assert talk.ask("gogui-rules_final_result") == talk.ask("final_score") != "= "


def test_nobody_resigns_in_reversi() -> None:
    """White has two discs left of 60 and no hope; the default would resign after three such moves."""
    board = "gogui-setup " + " ".join(f"b {column}{row}" for row in range(1, 8) for column in "abcdefgh")
    asked = "; ".join(["genmove w; genmove b"] * 4)
    got = say(
        f"set_position; {board.replace('gogui-setup', 'set_position')}; gogui-setup w a8 b b8; {asked}", resign=0.999
    )
    assert "= resign" not in got and got[1] == got[2] == "="


def test_records(tmp_path: Path) -> None:
    root = str(tmp_path)
    got = say(f"{EARLY_PASS}; play w d6; printsgf game.sgf; clear_board; loadsgf game.sgf; showboard", file_root=root)
    assert got[2] == got[4] == "="
    board = say(f"{EARLY_PASS}; play w d6; showboard")[-1]
    assert got[-1] == board
    text = (tmp_path / "game.sgf").read_text()
    assert "GM[2]" in text and "SZ[8]" in text and "AB[" not in text
    (tmp_path / "short.sgf").write_text(text.replace(";B[tt]", "").replace(";B[]", ""))  # without its pass
    assert say("loadsgf short.sgf; showboard", file_root=root)[-1] == board
    (tmp_path / "go.sgf").write_text("(;FF[4]GM[1]SZ[9];B[aa])")
    assert say("loadsgf go.sgf", file_root=root) == ["? cannot load file: the file holds a game of go, this is reversi"]


def test_records_of_gomoku(tmp_path: Path) -> None:
    text = "boardsize 10; gogui-play_sequence b H8 w H9 b G7; printsgf g.sgf; boardsize 15; loadsgf g.sgf; showboard"
    got = say(text, "gomoku", file_root=str(tmp_path))
    assert got[2] == got[4] == "=" and "GM[4]" in (tmp_path / "g.sgf").read_text()
    assert got[-1] == say("boardsize 10; gogui-play_sequence b H8 w H9 b G7; showboard", "gomoku")[-1]
