"""`tengen photo` with many pictures, with a reader of boards that is told what to see."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

pytest.importorskip("cv2")
pillow = pytest.importorskip("PIL.Image")


from photo_seer import BROKEN, NONE, SURE, TWO, Output, files, photo, save, seer_fixture, table  # noqa: E402, F401

from tengen.tools.photo import batch, one_picture, pipeline  # noqa: E402
from tengen.tools.photo.geometry import Image  # noqa: E402
from tengen.tools.photo.pipeline import Settings  # noqa: E402
from tengen.tools.photo.results import PhotoError, Reading  # noqa: E402


def test_a_batch_writes_every_board_and_a_summary(capsys: Output) -> None:
    save("broken.jpg", BROKEN)
    Path("text.jpg").write_text("not a picture")
    names = ["sure.jpg", "unsure.jpg", "broken.jpg", "none.jpg", "text.jpg", "missing.jpg", "two.jpg", "other.jpg"]
    assert photo(*names, "-o", "out", "--overlay", "checks") == 1
    assert files("out") == ["other.sgf", "summary.csv", "sure.sgf", "two-2.sgf", "two.sgf", "unsure.sgf"]
    assert files("checks") == [f"{name}.overlay.png" for name in ("other", "sure", "two-2", "two", "unsure")]
    rows = table("out/summary.csv")
    assert list(rows[0]) == list(batch.COLUMNS)
    assert [(row["file"], row["board"], row["size"], row["game"], row["black"], row["white"], row["uncertain"])
            for row in rows if not row["error"]] == [
        ("sure.jpg", "1", "9", "go", "5", "4", "0"), ("unsure.jpg", "1", "9", "go", "5", "4", "2"),
        ("two.jpg", "1", "9", "go", "5", "4", "0"), ("two.jpg", "2", "8", "reversi", "4", "1", "0"),
        ("other.jpg", "1", "15", "gomoku", "2", "2", "0"),
    ]  # fmt: skip
    assert rows[-1]["warnings"] == "the board may have another size" and rows[0]["found"] == "0.970"
    errors = {row["file"]: row["error"] for row in rows if row["error"]}
    assert errors["broken.jpg"] == "unexpected RuntimeError: out of luck"
    assert "no board was found" in errors["none.jpg"] and "is not a picture" in errors["text.jpg"]
    assert "No such file" in errors["missing.jpg"] and all(float(row["seconds"]) >= 0 for row in rows)
    output, told = capsys.readouterr()
    assert output == "" and told.startswith("[1/8] sure.jpg: go 9x9, 5 black, 4 white\n[2/8] unsure.jpg: ")
    assert told.endswith("8 pictures: 2 read, 2 to be checked, 1 without a board, 3 failed; "
                         f"see '{Path('out') / 'summary.csv'}'\n")  # fmt: skip


@pytest.mark.parametrize(("names", "code"), [
    (["sure", "two"], 0), (["sure", "unsure"], 1), (["none", "none2"], 3), (["missing", "gone"], 2),
    (["none", "missing"], 3), (["sure", "missing"], 1), (["unsure"], 1), (["sure"], 0), (["none"], 3),
])  # fmt: skip
def test_exit_code_of_a_batch(names: list[str], code: int) -> None:
    save("none2.jpg", NONE)
    folder = Path("in")
    folder.mkdir()
    for name in names:
        if Path(f"{name}.jpg").exists():
            (folder / f"{name}.jpg").write_bytes(Path(f"{name}.jpg").read_bytes())
        else:
            (folder / f"{name}.jpg").write_text("broken")
    assert photo("in", "-o", "out") == code
    assert len(table("out/summary.csv")) >= len(names)


def test_folders_give_their_files_in_order_and_not_what_we_wrote() -> None:
    for name in ("in/10.jpg", "in/9.png", "in/.hidden.jpg", "in/1.overlay.png", "in/sub/deep.jpg"):
        save(name, SURE)
    Path("in/9.sgf").write_text("(;)")
    Path("in/x.jpg").mkdir()
    assert photo("in", "sure.jpg", "in", "-o", "out") == 0
    rows = table("out/summary.csv")
    assert [Path(row["file"]).name for row in rows] == ["9.png", "10.jpg", "deep.jpg", "sure.jpg"]


def test_every_file_of_a_folder_has_its_line() -> None:
    save("in/a.jpg", SURE)
    Path("in/plain").write_bytes(Path("in/a.jpg").read_bytes())
    Path("in/book.pdf").write_bytes(b"%PDF-1.7 ...")
    Path("in/sub").mkdir()
    Path("in/sub/notes.txt").write_text("nothing")
    assert photo("in", "-o", "out") == 1
    rows = {Path(row["file"]).as_posix(): row["error"] for row in table("out/summary.csv")}
    assert list(rows) == ["in/a.jpg", "in/book.pdf", "in/plain", "in/sub/notes.txt"]
    assert rows["in/a.jpg"] == rows["in/plain"] == ""
    assert "a PDF: save its page as a picture" in rows["in/book.pdf"] and "not a picture" in rows["in/sub/notes.txt"]


def test_results_beside_their_pictures_and_again() -> None:
    save("in/a.jpg", SURE)
    assert photo("in", "-o", "in", "--overlay", "in") == 0
    assert photo("in", "-o", "in", "--overlay", "in") == 0
    assert files("in") == ["a.jpg", "a.overlay.png", "a.sgf", "summary.csv"]


def test_pictures_of_the_same_name_keep_their_results_apart() -> None:
    for name in ("a/x.jpg", "b/x.jpg", "b/x.png", "c/x.jpg"):
        save(name, SURE)
    assert photo("a/x.jpg", "b/x.jpg", "b/x.png", "c/x.jpg", "-o", "out") == 0
    assert files("out") == ["summary.csv", "x(2).sgf", "x.jpg.sgf", "x.png.sgf", "x.sgf"]


def test_further_boards_do_not_take_the_names_of_other_pictures() -> None:
    save("in/a.png", TWO)
    save("in/A-2.png", SURE)
    assert photo("in", "-o", "out", "--overlay", "out") == 0
    names = ("A-2", "a-board2", "a")
    assert files("out") == sorted(
        [*(f"{name}{end}" for name in names for end in (".overlay.png", ".sgf")), "summary.csv"]
    )


def test_json_lines_of_a_batch(capsys: Output) -> None:
    assert photo("sure.jpg", "none.jpg", "-o", "out", "--json") == 1
    values = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [(value["file"], value["code"], len(value["boards"])) for value in values] == [
        ("sure.jpg", 0, 1), ("none.jpg", 3, 0)
    ]  # fmt: skip


def test_a_bar_on_a_terminal(monkeypatch: pytest.MonkeyPatch, capsys: Output) -> None:
    pytest.importorskip("rich")
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    assert photo("sure.jpg", "none.jpg", "unsure.jpg", "-o", "out") == 1
    told = capsys.readouterr().err
    assert "no board was found in 'none.jpg'" in told and "uncertain: C8 black 70 %" in told
    assert "sure.jpg: go 9x9, 5 black, 4 white\n" not in told, "only what needs a look is told"


def test_an_interrupted_batch_keeps_its_summary(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[str] = []
    process: Callable[..., one_picture.Outcome] = batch.process

    def second_is_interrupted(plan: one_picture.Plan, source: str, name: str) -> one_picture.Outcome:
        calls.append(source)
        if len(calls) == 2:
            raise KeyboardInterrupt
        return process(plan, source, name)

    monkeypatch.setattr(batch, "process", second_is_interrupted)
    assert photo("sure.jpg", "two.jpg", "-o", "out") == 130
    assert [row["file"] for row in table("out/summary.csv")] == ["sure.jpg"]


def test_a_result_that_cannot_be_written_does_not_stop_the_others(capsys: Output) -> None:
    Path("out/sure.sgf").mkdir(parents=True)
    assert photo("sure.jpg", "two.jpg", "-o", "out") == 1
    assert "cannot write" in table("out/summary.csv")[0]["error"] and Path("out/two.sgf").is_file()


def test_errors_of_the_pipeline_are_sentences(monkeypatch: pytest.MonkeyPatch, capsys: Output) -> None:
    def refuse(image: Image, settings: Settings) -> list[Reading]:
        raise PhotoError("the network is missing")

    monkeypatch.setattr(pipeline, "read_picture", refuse)
    assert photo("sure.jpg") == 2 and capsys.readouterr().err == "tengen: the network is missing\n"
