"""`tengen photo` as a person meets it, with a reader of boards that is told what to see."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("cv2")
pillow = pytest.importorskip("PIL.Image")

from photo_boards import GO, reading  # noqa: E402
from photo_seer import BROKEN, SURE, Output, Seer, files, photo, save, seer_fixture  # noqa: E402, F401
from sgfmill import sgf  # noqa: E402

from tengen.engine import records  # noqa: E402
from tengen.tools.photo import pipeline  # noqa: E402

# one picture


def test_the_board_goes_to_stdout_and_the_summary_to_stderr(capsys: Output) -> None:
    assert photo("sure.jpg") == 0
    output, errors = capsys.readouterr()
    assert output.startswith("game: go\nsize: 9x9\nDT: 2024-05-06\n. . . . . . . . .\n. . X . O")
    assert errors == "go 9x9, 5 black, 4 white\n"
    assert records.read(output.encode()).setup == reading(GO, "go").stones.tobytes()


def test_doubts_are_told_and_the_exit_code_says_so(capsys: Output) -> None:
    assert photo("unsure.jpg", "-o", "a.sgf") == 1
    output, errors = capsys.readouterr()
    assert output == "" and errors.splitlines() == [
        "go 9x9, 5 black, 4 white, 2 points uncertain; written to 'a.sgf'",
        "uncertain: C8 black 70 %, A1 empty 70 %",
    ]
    assert "SQ[cb][ai]" in Path("a.sgf").read_text().replace("\n", "")
    assert photo("other.jpg", "-o", "b.sgf") == 1
    assert "warning: the board may have another size" in capsys.readouterr().err


@pytest.mark.parametrize("extension", ["sgf", "txt", "gtp", "json", "SGF"])
def test_the_extension_is_the_format(extension: str) -> None:
    assert photo("sure.jpg", "-o", f"new/a.{extension}") == 0
    begin = {"sgf": "(;FF[4]", "txt": "game: go", "gtp": "boardsize 9", "json": '{"file": "sure.jpg"'}
    assert Path(f"new/a.{extension}").read_text().startswith(begin[extension.lower()])


@pytest.mark.parametrize("words", [
    ["--format", "sgf"], ["--format", "sgf", "-o", "a.dat"], ["--format", "sgf", "-o", "a"], ["--format", "SGF"],
])  # fmt: skip
def test_format_beats_extension(words: list[str], capsys: Output) -> None:
    assert photo("sure.jpg", *words) == 0
    text = Path(words[3]).read_text() if len(words) > 2 else capsys.readouterr().out
    assert text.startswith("(;FF[4]")


def test_facts_of_the_game() -> None:
    words = "--black Shusaku --white Gennan --event Ear-reddening --next w --komi 6.5 --rules japanese".split()
    assert photo("sure.jpg", "-o", "a.sgf", *words, "--date", "1846-09-11") == 0
    record = records.read(Path("a.sgf"))
    assert record.players == ("Shusaku", "Gennan") and record.to_move == 1
    assert (record.komi, record.rules) == (6.5, "japanese")
    assert record.properties == {"EV": "Ear-reddening", "DT": "1846-09-11"}


def test_settings_reach_the_reader(seer: Seer) -> None:
    save("large.png", SURE, (6000, 800))
    assert photo("large.png", "--size", "9", "--game", "go", "--detector", "classic", "--boards", "3", "-o", "x/") == 0
    assert photo("large.png", "--corners", "100,100,5900,100,5900,700,100,700", "-o", "x/") == 0
    first, second = seer.asked
    assert (first.size, first.game, first.detector, first.boards) == (9, "go", "classic", 3)
    assert first.corners is None and second.boards == 1 and second.corners is not None
    assert np.allclose(second.corners[0], 49.75)  # pixels of the file, of which half as many are read
    assert photo("large.png", "--corners", "100,100,5900,100,5900,700,100,700", "-o", "a.json") == 0
    assert json.loads(Path("a.json").read_text())["corners"][0] == [100, 100]


def test_edit(capsys: Output) -> None:
    assert photo("unsure.jpg", "--edit", "C8=W,A1=.", "-o", "a.sgf", "--overlay", "a.png") == 0
    assert "go 9x9, 4 black, 5 white; written to 'a.sgf'\ncheck it in 'a.png'\n" == capsys.readouterr().err
    assert records.read(Path("a.sgf")).setup[9 + 2] == 2


def test_keep_label(capsys: Output) -> None:
    assert photo("unsure.jpg", "--edit", "c8=w,a1=.", "--keep-label", "labels", "-o", "a.sgf") == 0
    assert files("labels") == ["unsure.corners.json", "unsure.jpg", "unsure.txt"]
    assert Path("labels/unsure.txt").read_text().splitlines()[2] == ". . O . O . . . ."
    assert not pillow.open("labels/unsure.jpg").getexif(), "what the camera noted stays at home"
    assert photo("unsure.jpg", "--keep-label", "labels", "-o", "b.sgf") == 2 and not Path("b.sgf").exists()
    assert "labels are not overwritten" in capsys.readouterr().err


def test_boards_are_written_separately(capsys: Output) -> None:
    assert photo("two.jpg", "-o", "a.sgf", "--overlay", "a.png") == 0
    assert photo("two.jpg", "-o", "d", "--overlay", "d") == 0
    assert [name for name in files() if name[0] == "a"] == ["a-2.png", "a-2.sgf", "a.png", "a.sgf"]
    assert files("d") == ["two-2.overlay.png", "two-2.sgf", "two.overlay.png", "two.sgf"]
    assert [records.read(Path(name)).game for name in ("a.sgf", "a-2.sgf")] == ["go", "reversi"]
    capsys.readouterr()
    assert photo("two.jpg") == 0
    assert [record.game for record in records.read_all(capsys.readouterr().out.encode())] == ["go", "reversi"]
    assert photo("two.jpg", "--boards", "1", "-o", "e") == 0 and files("e") == ["two.sgf"]


def test_json_on_stdout(capsys: Output) -> None:
    assert photo("unsure.jpg", "-o", "a.sgf", "--json") == 1
    output = capsys.readouterr().out
    value = json.loads(output)
    assert output.count("\n") == 1 and (value["file"], value["code"], value["error"]) == ("unsure.jpg", 1, None)
    (board,) = value["boards"]
    assert (board["output"], board["size"], len(board["uncertain"])) == ("a.sgf", 9, 2)
    assert photo("none.jpg", "--json") == 3
    value = json.loads(capsys.readouterr().out)
    assert value["boards"] == [] and "no board was found" in value["error"]


def test_standard_input(monkeypatch: pytest.MonkeyPatch, capsys: Output) -> None:
    class Standard:
        buffer = io.BytesIO(Path("sure.jpg").read_bytes())

    monkeypatch.setattr(sys, "stdin", Standard)
    assert photo("-", "-o", "d/") == 0 and files("d") == ["stdin.sgf"]
    monkeypatch.setattr(sys, "stdin", None)  # as a GUI without a console starts it
    capsys.readouterr()
    assert photo("-", "-o", "d/") == 2 and "stdin is closed" in capsys.readouterr().err


# from picture to play


def test_score(capsys: Output) -> None:
    words = ["--score", "--komi", "0.5", "--rules", "chinese"]
    assert photo("ended.jpg", "-o", "a.sgf", "--overlay", "a.png", *words) == 0
    told = capsys.readouterr().out
    assert told.startswith("B+0.5 by chinese rules with komi 0.5") and " 4 b o b X b X O O w\n" in told
    root = sgf.Sgf_game.from_bytes(Path("a.sgf").read_bytes()).get_root()
    assert len(root.get("TB")) == 41 - 14 and len(root.get("TW")) == 40 - 16 and (3, 1) in root.get("TB")
    assert "Proposed score: B+0.5." in root.get("C")
    assert photo("ended.jpg", "-o", "a.json", *words) == 0
    assert json.loads(Path("a.json").read_text())["score"]["dead"] == ["G5", "B4"]


def test_score_and_best_move_with_the_board_on_stdout(capsys: Output, monkeypatch: pytest.MonkeyPatch) -> None:
    from tengen.tools.photo import advice

    monkeypatch.setattr(advice, "best_move", lambda reading, facts: f"best move: c5 for {facts.next}")
    assert photo("other.jpg", "--score", "--best-move", "--next", "b") == 1
    output = capsys.readouterr().out
    assert output.startswith("game: gomoku") and "nobody has five in a row" in output
    assert output.endswith("best move: c5 for 0\n")
    assert photo("ended.jpg", "--best-move", "--format", "sgf") == 0
    output, errors = capsys.readouterr()
    assert output.startswith("(;FF[4]") and "best move" not in output and "best move: c5 for None\n" in errors


def test_what_has_no_score_is_told_after_the_position(capsys: Output) -> None:
    assert photo("ended.jpg", "-o", "a.sgf", "--score", "--rules", "house") == 2
    output, errors = capsys.readouterr()
    assert output == "" and Path("a.sgf").is_file() and "tengen: unknown rules 'house' of Go" in errors
    assert photo("ended.jpg", "sure.jpg", "-o", "out", "--score", "--rules", "house") == 1
    assert files("out") == ["ended.sgf", "summary.csv", "sure.sgf"]


# no board, mistakes


@pytest.mark.parametrize("words", [[], ["-o", "a.sgf", "--overlay", "a.png", "--keep-label", "l"]])
def test_no_board(words: list[str], capsys: Output) -> None:
    before = files()
    assert photo("none.jpg", *words) == 3
    output, errors = capsys.readouterr()
    assert output == "" and files() == before
    assert errors == (
        "tengen: no board was found in 'none.jpg': take it from above with all four corners in the picture, "
        "or say where they are with --corners x,y,x,y,x,y,x,y\n"
    )


MISTAKES = [
    ("", "which picture? Give an IMAGE, a folder, or - for stdin"),
    ("missing.jpg", "cannot read 'missing.jpg': No such file"),
    ("empty.jpg", "is empty"),
    ("text.jpg", "is not a picture"),
    ("sure.jpg -o a.xyz", "'a.xyz' has no extension of a position (sgf, txt, gtp, psq, obf, json): give --format"),
    ("sure.jpg --format pgn", "unknown format 'pgn'"),
    ("sure.jpg -o a.psq", "PSQ holds Gomoku only: choose another --format"),
    ("sure.jpg --size 20", "20 is not between 8 and 19"),
    ("sure.jpg --size 12", "size 12 cannot be read from a picture"),
    ("sure.jpg --game reversi --size 19", "cannot be read from a picture"),
    ("sure.jpg --game chess", "invalid choice: 'chess'"),
    ("sure.jpg --next x", "'x' is not b or w"),
    ("sure.jpg --date tomorrow", "'tomorrow' is not a date as 2024-05-06"),
    ("sure.jpg --corners 1,2,3", "--corners takes x,y of the four corners"),
    ("sure.jpg --corners 0,0,100,0,50,10,50,90", "convex"),
    ("sure.jpg --corners -900,0,-600,0,-600,200,-900,200", "mostly outside of the picture (300x240 pixels, upright)"),
    ("sure.jpg --corners 5,5,9,5,9,9,5,9", "too few pixels for a board"),
    ("sure.jpg --date 2024-13-45", "'2024-13-45' is not a date as 2024-05-06"),
    ("sure.jpg --overlay a.gif", "an overlay is a file (.png, .jpg, .jpeg, .webp) or a folder, not 'a.gif'"),
    ("sure.jpg --overlay -", "or a folder, not '-'"),
    ("sure.jpg --overlay empty.jpg/x.png", "cannot write 'empty.jpg/x.png': "),
    ("sure.jpg --keep-label empty.jpg/x", "cannot keep a label in 'empty.jpg/x': "),
    ("sure.jpg -o /dev/full --format sgf", "cannot write '/dev/full': No space left on device"),
    ("--series . -o d/", "a series becomes one file: 'd/' is a folder"),
    ("--series . -o sure.jpg --format sgf", "'sure.jpg' is a picture that is read: it is not overwritten"),
    ("sure.jpg --edit Q4", "--edit takes points as"),
    ("sure.jpg --edit T19=B", "'t19' is not a point of the 9x9 go board"),
    ("sure.jpg --detector clasic", "unknown detector 'clasic' (did you mean 'classic'?)"),
    ("sure.jpg --komi much", "'much' is not a number"),
    ("sure.jpg --overlya a.png", "unknown option --overlya (did you mean '--overlay'?)"),
    ("sure.jpg other.jpg", "several pictures need a folder for their results: -o DIR"),
    ("sure.jpg other.jpg -o a.sgf", "several pictures need a folder for their results: 'a.sgf' is none"),
    ("sure.jpg other.jpg -o d --overlay a.png", "several pictures need a folder for their overlays"),
    ("sure.jpg other.jpg -o d --corners 1,2,3,4,5,6,7,8", "--corners is about one picture, not 2"),
    ("sure.jpg other.jpg -o d --edit a1=b", "--edit is about one picture"),
    ("sure.jpg other.jpg -o d --keep-label l", "--keep-label is about one picture"),
    ("hollow -o d", "the folder 'hollow' holds no pictures"),
    ("sure.jpg -o sure.jpg --format sgf", "is a picture that is read: it is not overwritten"),
    ("sure.jpg --overlay ./sure.jpg", "is a picture that is read: it is not overwritten"),
    ("sure.jpg -o empty.jpg/a.sgf", "empty.jpg"),
    ("--series . --edit a1=b", "--edit is about a picture, not about a series"),
    ("--series . --detector clasic", "unknown detector 'clasic' (did you mean 'classic'?)"),
    ("sure.jpg --series d", "--series takes the pictures of one game by itself"),
]


@pytest.mark.parametrize(("line", "says"), MISTAKES)
def test_mistakes_get_one_sentence_and_nothing_is_written(line: str, says: str, capsys: Output) -> None:
    Path("empty.jpg").touch()
    Path("text.jpg").write_text("not a picture")
    Path("hollow").mkdir()
    before = {name: Path(name).read_bytes() for name in files()}
    assert photo(*line.split()) == 2
    output, errors = capsys.readouterr()
    assert says in errors and errors.count("\n") == 1 and "Traceback" not in errors and output == ""
    assert {name: Path(name).read_bytes() for name in files()} == before


@pytest.mark.parametrize("option", ["--output", "--overlay", "--corners", "--edit", "--series", "--keep-label", ""])
def test_an_empty_word_is_not_taken_for_none(option: str, capsys: Output) -> None:
    """A variable of a shell that is not set: no edit that is silently left out, no folder that is this one."""
    before = files()
    assert photo(*(["sure.jpg", option, ""] if option else [""])) == 2 and files() == before
    assert capsys.readouterr().err.startswith(f"tengen: {option} is followed by nothing" if option else "tengen: which")


def test_a_drawn_reversi_game(capsys: Output, monkeypatch: pytest.MonkeyPatch) -> None:
    half = "\n".join(["X X X X O O O O"] * 8)
    monkeypatch.setattr(pipeline, "read_picture", lambda image, settings: [reading(half, "reversi")])
    assert photo("sure.jpg", "-o", "a.obf", "--score") == 0
    assert capsys.readouterr().out == "Black has 32 discs, White 32, 0 squares are empty: a draw\n"


def test_a_corner_left_of_the_picture(seer: Seer) -> None:
    assert photo("sure.jpg", "--corners", "-12,30,270,34,280,210,-20,214", "-o", "a.sgf") == 0
    corners = seer.asked[0].corners
    assert corners is not None and corners[0].tolist() == [-12, 30]


def test_names_are_shown_on_a_terminal_without_what_rules_it(capsys: Output) -> None:
    names = ["a\x1b[31m.jpg", "b\nc.jpg"]
    for name in names:
        save(name, SURE)
    assert photo(names[0], "-o", "d") == 0 and photo(*names, "-o", "d", "--score") == 0
    assert photo("no\x1b[31m.jpg") == 2
    output, errors = capsys.readouterr()
    assert "\x1b" not in output + errors and "a?[31m.jpg" in errors and "b?c.jpg:\n" in output


def test_an_unexpected_failure_of_one_picture_is_no_traceback(capsys: Output) -> None:
    save("broken.jpg", BROKEN)
    assert photo("broken.jpg") == 2
    assert capsys.readouterr().err.startswith("tengen: unexpected RuntimeError: out of")


def test_a_missing_package_is_named(monkeypatch: pytest.MonkeyPatch, capsys: Output) -> None:
    for name in [name for name in sys.modules if name.startswith("tengen.tools.photo.")]:
        if name != "tengen.tools.photo.command":
            monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "cv2", None)
    import tengen.tools.photo as package

    for name in ("pipeline", "work"):
        monkeypatch.delattr(package, name, raising=False)
    assert photo("sure.jpg") == 2
    errors = capsys.readouterr().err
    assert "tengen photo needs the package opencv-python-headless, which is not installed; run: " in errors
    assert errors.count("\n") == 1


def test_help_needs_nothing_heavy() -> None:
    code = (
        "import sys; from tengen.tools.cli import main; main(['photo', '--help']);"
        "bad = {'numpy', 'cv2', 'torch', 'openvino', 'PIL', 'rich', 'sgfmill'} & set(sys.modules); assert not bad, bad"
    )
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert "--corners" in done.stdout and "--series" in done.stdout
