"""Analysis that streams: lz-analyze, kata-analyze and the same around a search for a move.

`*-analyze` goes on until the next line of input, or stops searching at the configured limit and stays silent.
`*-genmove_analyze` is a genmove that reports; input does not end it. The unprefixed names speak KataGo's dialect
and are not listed: Sabaki would prefer them and misread their win rates.
"""

from __future__ import annotations

from collections.abc import Callable

from tengen.engine.info import Info
from tengen.protocols.gtp.arguments import COLOURS, colour, integer, number, truth, vertex
from tengen.protocols.gtp.framing import GtpError, Request
from tengen.protocols.gtp.handler import Gtp
from tengen.protocols.gtp.moves import chosen, decided, text
from tengen.protocols.gtp.registry import OPEN, Open, command
from tengen.protocols.gtp.report import Dialect, Tags, info_line

CANNOT_PARSE = "cannot parse analyze tags"
SHORTEST, LONGEST = 0.01, 1e6
"""Bounds of the interval between two reports, seconds."""
FLAGS = {
    "ownership", "ownershipStdev", "movesOwnership", "movesOwnershipStdev", "rootInfo", "pvVisits", "pvEdgeVisits",
    "noResultValue",
}  # fmt: skip
"""KataGo's switches; those without a figure of ours behind them are accepted and change nothing."""


@command("lz-analyze")
def lz_analyze(gtp: Gtp, request: Request) -> str | Open:
    return _analyze(gtp, request, Dialect.LZ)


@command("kata-analyze")
def kata_analyze(gtp: Gtp, request: Request) -> str | Open:
    return _analyze(gtp, request, Dialect.KATA)


@command("analyze", listed=False)
def analyze(gtp: Gtp, request: Request) -> str | Open:
    return _analyze(gtp, request, Dialect.KATA)


@command("lz-genmove_analyze")
def lz_genmove_analyze(gtp: Gtp, request: Request) -> str:
    return _genmove(gtp, request, Dialect.LZ)


@command("kata-genmove_analyze")
def kata_genmove_analyze(gtp: Gtp, request: Request) -> str:
    return _genmove(gtp, request, Dialect.KATA)


@command("genmove_analyze", listed=False)
def genmove_analyze(gtp: Gtp, request: Request) -> str:
    return _genmove(gtp, request, Dialect.KATA)


@command("kata-search_analyze")
def search_analyze(gtp: Gtp, request: Request) -> str:
    """kata-genmove_analyze that does not play the move."""
    return _genmove(gtp, request, Dialect.KATA, play=False)


@command("kata-search_analyze_cancellable")
def search_analyze_cancellable(gtp: Gtp, request: Request) -> str:
    """The same, cancelled by any further input."""
    return _genmove(gtp, request, Dialect.KATA, play=False, cancellable=True)


def parse_tags(gtp: Gtp, words: list[str], dialect: Dialect) -> Tags:
    """Read `[colour] [interval] [key value]...` in any order. Raises GtpError for anything else."""
    side, interval = gtp.player.state.to_move, 1.0
    max_moves = 0
    switches: dict[str, bool] = {}
    bans: list[tuple[str, int, list[int]]] = []
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
            bans.append((word, *_restriction(gtp, following(), following(), following())))
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
        allow=_cells("allow", side, bans),
        avoid=_cells("avoid", side, bans),
        ownership=switches.get("ownership", False),
        root_info=switches.get("rootInfo", False),
    )


def _restriction(gtp: Gtp, side: str, vertices: str, depth: str) -> tuple[int, list[int]]:
    """`B D4,E5 10`. The depth is checked; the search restricts the first move only."""
    if integer(depth, CANNOT_PARSE) < 1:
        raise GtpError(CANNOT_PARSE)
    return colour(side, CANNOT_PARSE), [vertex(gtp, word, CANNOT_PARSE) for word in vertices.split(",")]


def _cells(kind: str, side: int, bans: list[tuple[str, int, list[int]]]) -> tuple[int, ...]:
    """The cells named for `side`; restrictions of the other colour concern later moves."""
    return tuple(cell for which, colour_, cells in bans if which == kind and colour_ == side for cell in cells)


def _analyze(gtp: Gtp, request: Request, dialect: Dialect) -> Open:
    tags = parse_tags(gtp, request.words, dialect)
    gtp.begin(request)
    gtp.keep_open(
        gtp.player.analyse(
            tags.colour,
            _reporter(gtp, tags),
            tags.interval,
            allow=tags.allow,
            avoid=tags.avoid,
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
        allow=tags.allow,
        avoid=tags.avoid,
        ownership=tags.ownership,
        max_lines=tags.max_moves,
    )
    return f"play {chosen(gtp, decision)}"


def _reporter(gtp: Gtp, tags: Tags) -> Callable[[Info], None]:
    def report(info: Info) -> None:
        gtp.stream(info_line(info, tags, lambda move: text(gtp, move)))

    return report
