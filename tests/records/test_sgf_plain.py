"""Plain SGF is read without the grammar, and as the grammar reads it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tengen.engine.records import sgf, sgf_plain
from tengen.engine.records.base import Record, RecordError
from tengen.engine.records.sgf_text import content_of

PLAIN = [
    "(;GM[1]SZ[19]KM[6.5]PB[a]PW[b];B[dd];W[pp];B[];W[tt])",
    "\n ( ;GM[1]FF[4]\nSZ[9]\nPB[x \\] ;B[aa\\]]C[(;W[bb\\])]AB[cc][dd:ee]PL[W]HA[2] \n ;W[aa]\n;B[bb] ; W[cc]WL[12.5]OW[3]C[a \\] ;B[ii\\]])\n\n",
    "(;GM[4]SZ[15]RU[renju];B[hh];W[hi];B[oo])",
    "(;GM[2]SZ[8];B[ec];W[fc])",
    "(;SZ[9:13];B[im];W[am]N[x]CR[aa][bb]LB[cc:1])",
    "(;SZ[25];B[tt];W[yy])",
    "(;PB[柯洁]PW[聂卫平];B[dd];W[pp]C[好])",
    "(;;B[aa])", "(;B[aa])", "(;W[aa];B[bb])", "(;GM[1]B[aa];W[bb])", "(;SZ[3]PL[W];W[aa])",
]  # fmt: skip
OTHERS = [
    "(;SZ[9];B[aa](;W[bb])(;W[cc]))", "(;SZ[9];B[aa];AB[bb];W[cc])", "(;SZ[9];B[aa];W[bb]AE[aa])", "(;SZ[9];B[aa];W[bb]PL[B])", "(;SZ[9];B[aa]W[bb])",
    "(;SZ[9];B[aa][bb])", "(;SZ[9];B[aa];W[bb])(;SZ[9];B[cc])", "(;SZ[9];C[x];B[aa])", "(;SZ[9];B [aa])", "(;SZ[9];B[aa]B[bb])",
    "(;SZ[9];Black[aa];White[bb])", "(;SZ[9];B[aA];W[bb])", "(;SZ[9])", "noise (;SZ[9];B[aa])", "(;SZ[9];B[aa]) noise", "(;SZ[9];B[aa]", "(TE[x]SZ[9];B[aa])",
    "(;GM[4]SZ[9];B[h9])", "(;SZ[9];B[a])",
]  # fmt: skip
BAD = ["(;SZ[9];B[jj])", "(;SZ[9];B[aa];W[tz])", "(;SZ[20];B[aa];W[uu])", "(;GM[3];B[aa])", "(;SZ[0];B[aa])"]


def read(text: str | bytes, monkeypatch: pytest.MonkeyPatch | None = None) -> Record | str:
    """The record or the reason; with a patch, by the grammar alone."""
    if monkeypatch is not None:
        monkeypatch.setattr(sgf_plain, "split", lambda content: None)
    try:
        record = sgf.loads(text)
        assert sgf.loads_all(text)[0] == record
        return record
    except RecordError as error:
        return str(error)


@pytest.mark.parametrize("text", [*PLAIN, *OTHERS, *BAD])
def test_it_is_what_the_grammar_reads(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for data in (text, text.encode(), text.encode("gb18030")):
        found = read(data)
        with monkeypatch.context() as patch:
            assert found == read(data, patch)


def test_which_files_are_plain() -> None:
    assert all(sgf_plain.split(text.encode()) for text in PLAIN if not text.startswith(("(;B", "(;W")))
    assert not any(
        sgf_plain.split(content_of(text)) for text in OTHERS if text not in ("(;SZ[9];B[a])", "(TE[x]SZ[9];B[aa])")
    )


PIECES = st.lists(
    st.sampled_from([";", "B[aa]", "W[bb]", "B[]", "C[x]", "C[\\]]", "C[", "]", "(", ")", "AB[cc]", "PL[W]", "SZ[9]", " ", "\n", "\\", "W[zz]", "N[;B[a]", "LB[aa:1][bb:2]", "b[aa]"]),
    max_size=12,
)  # fmt: skip


@given(PIECES)
def test_whatever_it_is(pieces: list[str]) -> None:
    text = "(;SZ[9]" + "".join(pieces) + ")"
    with pytest.MonkeyPatch.context() as patch:
        found = read(text)
        assert found == read(text, patch)


def test_real_files(shared: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch) -> None:
    plain = 0
    for path in sorted(shared("data/go/gnugo_regression").rglob("*.sgf"))[::3]:
        data = path.read_bytes()
        found = read(data)
        with monkeypatch.context() as patch:
            assert found == read(data, patch), path
        plain += isinstance(found, Record) and sgf_plain.split(content_of(data)) is not None
    assert plain > 50
