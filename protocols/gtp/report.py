"""Analysis as text: the `info` lines of Leela Zero (lz-) and KataGo (kata-).

All values are from the view of the side to move. `pv` is the last key of a segment and never empty (Sabaki
reads it so). KataGo's keys for which the search has no figure (noResultValue, ...; scoreStdev without a network) are
left out.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from typing import NamedTuple

from tengen.engine.info import Info, Line
from tengen.engine.play.request import Restrictions

Vertex = Callable[[int], str]


class Dialect(Enum):
    """The dialect of a report: which keys and scales it uses."""

    LZ = "lz"
    KATA = "kata"


class Tags(NamedTuple):
    """The arguments of an analysis command. interval: seconds. max_moves 0: all."""

    dialect: Dialect
    colour: int
    interval: float
    max_moves: int = 0
    restrictions: Restrictions = Restrictions()
    ownership: bool = False
    root_info: bool = False


def info_line(info: Info, tags: Tags, vertex: Vertex) -> str:
    """One report in one line; "" while the search has no move to show."""
    lines = info.lines[: tags.max_moves] if tags.max_moves else info.lines
    write = _lz if tags.dialect is Dialect.LZ else _kata
    parts = [write(line, order, vertex) for order, line in enumerate(lines)]
    if not parts:
        return ""
    if tags.dialect is Dialect.KATA and tags.root_info:
        parts.append(_root(info))
    if tags.dialect is Dialect.KATA and tags.ownership and info.ownership:
        parts.append("ownership " + " ".join(f"{value:.4g}" for value in info.ownership))
    return " ".join(parts)


def winrate(line: Line) -> float:
    """Expected result between 0 and 1: a draw is half a win."""
    return min(1.0, max(0.0, line.expected))


def _pv(line: Line, vertex: Vertex) -> str:
    return " ".join(vertex(move) for move in line.pv or (line.move,))


def _lz(line: Line, order: int, vertex: Vertex) -> str:
    return (
        f"info move {vertex(line.move)} visits {line.visits} winrate {round(10000 * winrate(line))} "
        f"prior {round(10000 * line.prior)} lcb {round(10000 * line.lcb)} order {order} pv {_pv(line, vertex)}"
    )


def _kata(line: Line, order: int, vertex: Vertex) -> str:
    win = winrate(line)
    return (
        f"info move {vertex(line.move)} visits {line.visits} edgeVisits {line.visits} utility {2 * win - 1:.6g} "
        f"winrate {win:.6f} {_score(line)} prior {line.prior:.6g} "
        f"lcb {line.lcb:.6f} utilityLcb {2 * line.lcb - 1:.6g} weight {line.visits} order {order} "
        f"pv {_pv(line, vertex)}"
    )


def _root(info: Info) -> str:
    return (
        f"rootInfo visits {info.visits} utility {2 * info.expected - 1:.6g} winrate {info.expected:.6f} "
        f"{_score(info)} weight {info.visits}"
    )


def _score(found: Line | Info) -> str:
    """The lead, and how the game ends in the mean where a network says so, which is the lead where none does."""
    final = found.final_score
    deviation = f" scoreStdev {final.deviation:.6g}" if final else ""
    mean = final.mean if final else found.score
    return f"scoreMean {found.score:.6g}{deviation} scoreLead {found.score:.6g} scoreSelfplay {mean:.6g}"
