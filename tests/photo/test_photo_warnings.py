"""Warnings: every sentence and its code in one table, each made somewhere; a request of a program, without a command line."""

from __future__ import annotations

import re
import string
from pathlib import Path

import pytest

pytest.importorskip("cv2")
pytest.importorskip("PIL.Image")

from checkout import ROOT  # noqa: E402
from photo_boards import GO, reading  # noqa: E402

from tengen.tools.photo.pipeline import Settings  # noqa: E402
from tengen.tools.photo.planning import plan_of  # noqa: E402
from tengen.tools.photo.request import BOARDS, Request  # noqa: E402
from tengen.tools.photo.results import PhotoError  # noqa: E402
from tengen.tools.photo.warnings import KINDS, Warned, warning  # noqa: E402

SOURCES = "".join(
    path.read_text("utf-8") for path in (ROOT / "tools" / "photo").rglob("*.py") if path.name != "warnings.py"
)


@pytest.mark.parametrize("code", KINDS)
def test_every_warning_is_made_where_its_table_says(code: str) -> None:
    checks = re.findall(r"`([\w/]+\.py)`", KINDS[code].check)
    texts = [(ROOT / "tools" / "photo" / name).read_text("utf-8") for name in checks]
    assert sum(f'"{code}"' in text for text in texts) == 1 and SOURCES.count(f'"{code}"') == 1


def test_the_documents_list_every_code() -> None:
    text = (ROOT / "docs" / "photo.md").read_text("utf-8")
    assert [code for code in KINDS if f"`{code}`" not in text] == []


def test_a_warning_is_its_sentence_and_knows_its_code() -> None:
    said = warning("corners-far", gap=2.25)
    assert said == "the lines that were found lie 2.2 cells from the given corners, which are kept"
    assert (said.code, type(said)) == ("corners-far", Warned)
    kind, words = said.__reduce__()  # as it leaves the process of a batch
    assert kind(*words) == said and kind(*words).code == said.code
    with pytest.raises(KeyError):
        warning("corners-far")


def test_sentences_name_their_facts() -> None:
    for kind in KINDS.values():
        assert all(name is None or name.isidentifier() for _, name, _, _ in string.Formatter().parse(kind.sentence))


def test_a_program_asks_without_a_command_line(tmp_path: Path) -> None:
    """What a web page would do: the same plan, the same refusals."""
    picture = tmp_path / "board.png"
    picture.write_bytes(b"")
    plan = plan_of(Request((str(picture),), size=19, next=1, black="A", boards=2))
    assert (plan.form, plan.target, plan.inputs) == ("txt", None, (str(picture),))
    assert plan.settings == Settings(size=19, boards=2) and (plan.facts.next, plan.facts.black) == (1, "A")
    assert plan_of(Request((str(picture),))).settings.boards == BOARDS
    with pytest.raises(PhotoError, match="several pictures need a folder"):
        plan_of(Request((str(picture), str(tmp_path / "other.png"))))
    assert reading(GO, "go").warnings == ()
