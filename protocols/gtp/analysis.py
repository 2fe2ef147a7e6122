"""Analysis that streams: lz-analyze, kata-analyze and the same around a search for a move.

`*-analyze` goes on until the next line of input, or stops searching at the configured limit and stays silent.
`*-genmove_analyze` is a genmove that reports; input does not end it. The unprefixed names speak KataGo's dialect
and are not listed: Sabaki would prefer them and misread their win rates.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from tengen.engine.info import Info
from tengen.engine.play.request import Restrictions
from tengen.protocols.gtp.arguments import COLOURS, colour, integer, number, truth, vertex
from tengen.protocols.gtp.framing import GtpError, Request
from tengen.protocols.gtp.handler import Gtp
from tengen.protocols.gtp.moves import chosen, decided, text
from tengen.protocols.gtp.registry import OPEN, Open, command
from tengen.protocols.gtp.report import Dialect, Tags, info_line

CANNOT_PARSE = "cannot parse analyze tags"
SHORTEST, LONGEST = 0.01, 1e6
"""Bounds of the interval between two reports, seconds."""
DEEPEST = 10**9
"""No search looks so many plies ahead."""
FLAGS = {
    "ownership", "ownershipStdev", "movesOwnership", "movesOwnershipStdev", "rootInfo", "pvVisits", "pvEdgeVisits",
    "noResultValue",
}  # fmt: skip
"""KataGo's switches; those without a figure of ours behind them are accepted and change nothing."""


@command("lz-analyze")
def lz_analyze(gtp: Gtp, request: Request) -> str | Open:
    """Analyse until the next line: reports in the dialect of Leela Zero."""
    return _analyze(gtp, request, Dialect.LZ)


@command("kata-analyze")
def kata_analyze(gtp: Gtp, request: Request) -> str | Open:
    """Analyse until the next line: reports in KataGo's dialect, with scores and ownership."""
    return _analyze(gtp, request, Dialect.KATA)


@command("analyze", listed=False)
def analyze(gtp: Gtp, request: Request) -> str | Open:
    """Do the same as kata-analyze."""
    return _analyze(gtp, request, Dialect.KATA)


@command("lz-genmove_analyze")
def lz_genmove_analyze(gtp: Gtp, request: Request) -> str:
    """Think of a move and play it, with reports in the dialect of Leela Zero."""
    return _genmove(gtp, request, Dialect.LZ)


@command("kata-genmove_analyze")
def kata_genmove_analyze(gtp: Gtp, request: Request) -> str:
    """Think of a move and play it, with reports in KataGo's dialect."""
    return _genmove(gtp, request, Dialect.KATA)


@command("genmove_analyze", listed=False)
def genmove_analyze(gtp: Gtp, request: Request) -> str:
    """Do the same as kata-genmove_analyze."""
    return _genmove(gtp, request, Dialect.KATA)


@command("kata-search_analyze")
def search_analyze(gtp: Gtp, request: Request) -> str:
    """Do the same as kata-genmove_analyze, but do not play the move."""
    return _genmove(gtp, request, Dialect.KATA, play=False)


@command("kata-search_analyze_cancellable")
def search_analyze_cancellable(gtp: Gtp, request: Request) -> str:
    """Do the same as kata-search_analyze; any further input cancels the search."""
    return _genmove(gtp, request, Dialect.KATA, play=False, cancellable=True)


class Restriction(NamedTuple):
    """`avoid` or `allow`: the moves of a colour, and for how many plies of the search."""

    kind: str
    side: int
    cells: list[int]
    depth: int


def parse_tags(gtp: Gtp, words: list[str], dialect: Dialect) -> Tags:
    """Read `[colour] [interval] [key value]...` in any order. Raises GtpError for anything else."""
    side, interval = gtp.player.state.to_move, 1.0
    max_moves, moves = 0, gtp.player.state.move_bound
    switches: dict[str, bool] = {}
    bans: list[Restriction] = []
    left = iter(words)

    def following() -> str:
        word = next(left, None)
        if word is None:
            raise GtpError(CANNOT_PARSE)
        return word

    for word in left:
        if word.lower() in COLOURS:
            side = colour(word)
        elif word in ("avoid", "allow"):
            bans.append(_restriction(gtp, word, following(), following(), following()))
        elif word in FLAGS:
            switches[word] = truth(following(), CANNOT_PARSE)
        elif word in ("minmoves", "maxmoves"):
            value = integer(following(), CANNOT_PARSE)
            max_moves = max(0, value) if word == "maxmoves" else max_moves
        else:
            interval = number(following() if word == "interval" else word, CANNOT_PARSE) / 100
    if interval < 0:
        raise GtpError(CANNOT_PARSE)
    return Tags(
        dialect=dialect,
        colour=side,
        interval=min(max(interval, SHORTEST), LONGEST),
        max_moves=max_moves,
        restrictions=Restrictions(
            _cells("allow", side, bans),
            _cells("avoid", side, bans),
            (_held_back(bans, 0, moves), _held_back(bans, 1, moves)),
        ),
        ownership=switches.get("ownership", False),
        root_info=switches.get("rootInfo", False),
    )


def _restriction(gtp: Gtp, kind: str, side: str, vertices: str, depth: str) -> Restriction:
    """`avoid B D4,E5 10`."""
    plies = integer(depth, CANNOT_PARSE)
    if plies < 1:
        raise GtpError(CANNOT_PARSE)
    cells = [vertex(gtp, word, CANNOT_PARSE) for word in vertices.split(",")]
    return Restriction(kind, colour(side, CANNOT_PARSE), cells, min(plies, DEEPEST))


def _cells(kind: str, side: int, bans: list[Restriction]) -> tuple[int, ...]:
    """The cells named for the first move of the search."""
    return tuple(cell for ban in bans if (ban.kind, ban.side) == (kind, side) for cell in ban.cells)


def _held_back(bans: list[Restriction], side: int, moves: int) -> tuple[int, ...]:
    """By move of a colour, the ply before which it may not be played: all that `allow` does not name until the deepest
    of its depths, what `avoid` names until its own."""
    named = [ban for ban in bans if ban.side == side]
    if not named:
        return ()
    deepest = max((ban.depth for ban in named if ban.kind == "allow"), default=0)
    plies = [deepest] * moves
    for cell in _cells("allow", side, bans):
        plies[cell] = 0
    for ban in named:
        if ban.kind == "avoid":
            for cell in ban.cells:
                plies[cell] = max(plies[cell], ban.depth)
    return tuple(plies)


def _analyze(gtp: Gtp, request: Request, dialect: Dialect) -> Open:
    tags = parse_tags(gtp, request.words, dialect)
    gtp.look_for_network(begins=True)
    gtp.look_outside()
    gtp.begin(request)
    gtp.keep_open(
        gtp.player.analyse(
            tags.colour,
            _reporter(gtp, tags),
            tags.interval,
            restrictions=tags.restrictions,
            ownership=tags.ownership,
            max_lines=tags.max_moves,
        )
    )
    return OPEN


def _genmove(gtp: Gtp, request: Request, dialect: Dialect, *, play: bool = True, cancellable: bool = False) -> str:
    tags = parse_tags(gtp, request.words, dialect)
    gtp.begin(request)
    decision = decided(
        gtp,
        tags.colour,
        cancellable=cancellable,
        on_info=_reporter(gtp, tags),
        interval=tags.interval,
        play=play,
        **tags.restrictions._asdict(),
        ownership=tags.ownership,
        max_lines=tags.max_moves,
    )
    return f"play {chosen(gtp, decision)}"


def _reporter(gtp: Gtp, tags: Tags) -> Callable[[Info], None]:
    def report(info: Info) -> None:
        gtp.stream(info_line(info, tags, lambda move: text(gtp, move)))

    return report
