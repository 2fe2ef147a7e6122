"""Leaves of the game tree: positions that everybody counts, and long lists of others, with a hash table and without.

`TENGEN_PERFT_LEAVES=N python -m pytest -m slow tests/core/test_chess_perft.py` counts every depth of every line of the
lists that has N leaves or fewer, 0: all; that takes an hour.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from chess_boards import PERFT

from tengen.engine._core import ChessState, chess_divide, chess_perft
from tengen.engine.games.chess.text import state_from_fen

EVERY_DAY, SLOW = 3_000_000, 300_000_000
HASHED, HASH_MB = 20_000_000, 8
"""From how many leaves on a table saves more than it costs, and how large one."""
LEAVES = os.environ.get("TENGEN_PERFT_LEAVES", "")


@pytest.mark.parametrize("fen", PERFT)
def test_perft(fen: str) -> None:
    state = state_from_fen(fen)
    assert chess_perft(state, 0) == 1
    for depth, leaves in enumerate(PERFT[fen], 1):
        if leaves <= EVERY_DAY:
            assert chess_perft(state, depth) == leaves == chess_perft(state, depth, False)
            assert chess_perft(state, depth, hash_mb=1) == leaves == chess_perft(state, depth, False, 2)
            divided = chess_divide(state, depth)
            assert sum(below for _, below in divided) == leaves and chess_divide(state, depth, hash_mb=1) == divided


@pytest.mark.parametrize("hash_mb", [-1, 1048577])
def test_a_table_has_a_size(hash_mb: int) -> None:
    for count in (chess_perft, chess_divide):
        with pytest.raises(ValueError, match="a hash table has 0 to 1048576 MB"):
            count(ChessState(), 1, hash_mb=hash_mb)


# The same pieces again, but not the same rights to castle or to capture in passing; and draws, which perft passes over.
LOST_RIGHTS = [
    "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
    "1r2k1r1/8/8/8/8/8/8/1R2K1R1 w GBgb - 0 1",
    "4k3/2p1p3/8/3P1P2/2p1p3/8/1P1P4/4K3 w - - 0 1",
    "8/8/4k3/8/8/4K3/8/8 w - - 149 90",
]


@pytest.mark.parametrize("fen", LOST_RIGHTS)
def test_a_table_tells_rights_apart(fen: str) -> None:
    state = state_from_fen(fen)
    for depth in range(1, 6):
        assert chess_perft(state, depth, hash_mb=1) == chess_perft(state, depth, False)


@pytest.mark.slow
@pytest.mark.parametrize("fen", PERFT)
def test_deep_perft(fen: str) -> None:
    depth = len(PERFT[fen])
    state = state_from_fen(fen)
    assert chess_perft(state, depth) == PERFT[fen][-1] == chess_perft(state, depth, hash_mb=1)


def listed(path: Path) -> Iterator[tuple[str, list[tuple[int, int]]]]:
    """(FEN, [(depth, leaves)]) of each line of a file."""
    for line in path.read_text("latin-1").replace("\0", "").splitlines():
        counts = [(int(depth), int(leaves)) for depth, leaves in re.findall(r"\bD(\d+) +(\d+)", line)]
        if counts:
            yield line.partition(";")[0].strip(), counts


# file -> leaves of a line at most, so that all of them take less than three minutes
FILES = {
    "cw_ferdy_perft_double_checks.epd": SLOW,
    "cw_ferdy_perft_enpassant_1.epd": SLOW,
    "cw_ferdy_perft_single_check_1.epd": SLOW,
    "cw_perft.epd": SLOW,
    "cw_perft-marcel.epd": 2_000_000,
    "ethereal_standard.epd": SLOW,
    "ethereal_fischer960.epd": 20_000_000,
    "sunfish_perft.epd": SLOW,
}


def chosen(counts: list[tuple[int, int]], name: str) -> list[tuple[int, int]]:
    """What is counted of a line: the last depth within the file's bound, or all within LEAVES."""
    if not LEAVES:
        return [row for row in counts if row[1] <= FILES[name]][-1:]
    return [row for row in counts if int(LEAVES) in (0, max(row[1], int(LEAVES)))]


@pytest.mark.slow
@pytest.mark.parametrize("name", FILES)
def test_every_line_of_the_shared_files(shared: Callable[[str], Path], name: str) -> None:
    lines = 0
    for fen, counts in listed(shared(f"data/chess/perft/{name}")):
        state = state_from_fen(fen)
        for depth, leaves in chosen(counts, name):
            hash_mb = HASH_MB if leaves >= HASHED else 0
            assert chess_perft(state, depth, hash_mb=hash_mb) == leaves, f"{fen} at depth {depth}"
        lines += 1
    assert lines > 100


def test_no_file_is_left_out(shared: Callable[[str], Path]) -> None:
    assert {path.name for path in shared("data/chess/perft").iterdir()} == set(FILES)
    for name in FILES:
        fen, counts = next(listed(shared(f"data/chess/perft/{name}")))
        depth, leaves = counts[0]
        assert chess_perft(state_from_fen(fen), depth) == leaves
