"""`tengen train fit DIR... -o FILE.safetensors`: weights from a complete set of games, or of labelled positions.

    tengen selfplay tengen-reversi.safetensors --games 100000 --out games --set search.depth=8
    tengen train fit games -o mine.safetensors               patterns of Reversi
    tengen train fit labelled -o chess.safetensors           a network of chess (tools/train/chess)
    tengen train fit own -o lines.safetensors                a network of Gomoku (tools/train/gomoku)

After each pass it keeps a checkpoint beside the file, from which the same command goes on.
"""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path

from tengen.engine.config import ConfigError, nearest
from tengen.tools.locking import beside
from tengen.tools.train.settings.kinds import (
    CHESS_NETWORK,
    LINE_NETWORK,
    LOOKING_AHEAD,
    PATTERN_NETWORK,
    PATTERNS,
    WEIGHTS_ENDING,
)

_OF_CHESS = ("width", "king_buckets")
_NOT_OF = {
    CHESS_NETWORK: (),
    LINE_NETWORK: (*_OF_CHESS, "returns"),
    PATTERN_NETWORK: (*_OF_CHESS, "results"),
    PATTERNS: (*_OF_CHESS, "results", "weights"),
}
"""The options that a kind of weights does not have."""


def fit(values: Namespace) -> int:
    """Read, learn, write, print. Raises ValueError, OSError with one sentence."""
    folders, out = values.words[1:], Path(values.out or "")
    kind = values.kind or _kind_of(folders)
    known = (*LOOKING_AHEAD, CHESS_NETWORK, LINE_NETWORK)
    if kind not in known:
        raise ConfigError(f"there are no weights of the kind {kind}{nearest(kind, known)}")
    if out.suffix != WEIGHTS_ENDING:
        raise ConfigError(f"say where to write the weights: -o NAME{WEIGHTS_ENDING}")
    if kind == CHESS_NETWORK:
        from tengen.tools.train.fitting.chess import fit_chess

        with beside(out, "learns"):
            return fit_chess(folders, out, values)
    for name in _NOT_OF[kind]:
        if getattr(values, name) is not None:
            having = " or ".join(one if one == PATTERNS else f"a {one}" for one in known if name not in _NOT_OF[one])
            raise ConfigError(f"--{name.replace('_', '-')} is of {having}, and this learns {kind}")
    if kind == LINE_NETWORK:
        from tengen.tools.train.fitting.lines import fit_lines

        with beside(out, "learns"):
            return fit_lines(folders, out, values)
    from tengen.tools.train.fitting.patterns import fit_patterns

    with beside(out, "learns"):
        return fit_patterns(kind, folders, out, values)


def _kind_of(folders: Sequence[str]) -> str:
    """What is learned from such files as the first one."""
    first = next((path for folder in folders for path in sorted(Path(folder).glob("*.npz"))), None)
    if first is None:
        return PATTERN_NETWORK
    from tengen.tools.train.data import positions
    from tengen.tools.train.gomoku.games import is_searched

    if positions.is_labelled(first):
        return CHESS_NETWORK
    return LINE_NETWORK if is_searched(first) else PATTERN_NETWORK
