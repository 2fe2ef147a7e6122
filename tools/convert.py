"""`tengen convert`: game records from one format into another, by extension, content or name (docs/records.md)."""

from __future__ import annotations

import os
import sys
from argparse import Namespace
from collections.abc import Sequence

from tengen.engine import records
from tengen.engine.records import Record, RecordError
from tengen.engine.records.legal import legal
from tengen.tools.arguments import Parser
from tengen.tools.told import Told

STANDARD = "-"


def configure(parser: Parser) -> None:
    """Declare the options."""
    names = ", ".join(records.written())
    parser.add_argument("source", metavar="IN", help="the file to read, or - for stdin")
    parser.add_argument("target", metavar="OUT", help="the file to write, or - for stdout")
    parser.add_argument("--format", metavar="NAME", help=f"format of OUT: {names} (by its extension)")
    parser.add_argument("--from", dest="origin", metavar="NAME", help="format of IN (by its extension or content)")
    parser.add_argument("--game", metavar="GAME", help="the game of a text that does not name it: go, gomoku, reversi")
    parser.add_argument("--encoding", metavar="NAME", help="encoding of IN: gbk, big5, shift_jis, ... (recognised)")
    parser.add_argument("--number", type=int, metavar="N", help="only the N-th game, from 1 (all games)")


def run(values: Namespace) -> int:
    """Read, write, and say how many games. Raises RecordError and OSError with one sentence."""
    if values.source != STANDARD and os.path.realpath(values.source) == os.path.realpath(values.target):
        raise RecordError("IN and OUT are the same file")
    if values.target == STANDARD and not values.format:
        raise RecordError("stdout has no extension: give --format")
    found = read(values.source, values.origin, values.game, values.encoding or "")
    if values.number is not None and not 1 <= values.number <= len(found):
        raise RecordError(f"there is no game {values.number}: '{values.source}' holds {len(found)}")
    wanted = range(len(found)) if values.number is None else [values.number - 1]
    games = kept([(number + 1, _legal(found[number])) for number in wanted])
    if values.target == STANDARD:
        sys.stdout.buffer.write(records.dump_all(games, values.format).encode("utf-8", "replace"))
        return 0
    records.write(games, values.target, values.format or "")
    print(f"{len(games)} game{'s' if len(games) != 1 else ''} written to '{values.target}'", file=sys.stderr)
    return 0


def _stdin() -> bytes:
    """What comes by stdin; the formats refuse what is too long. Raises RecordError when there is none."""
    if sys.stdin is None:
        raise RecordError("stdin is closed")
    return sys.stdin.buffer.read(records.MAX_BYTES + 1)


def kept(found: Sequence[tuple[int, Record | RecordError]]) -> list[Record]:
    """Choose games by their numbers; report each broken one and unclear places in the others on stderr.

    Raises RecordError when all are.
    """
    games, told = [game for _, game in found if isinstance(game, Record)], Told()
    for number, game in found:
        if isinstance(game, Record):
            for warning in game.warnings:
                told.add(f"game {number}" if len(found) > 1 else "", warning)
        else:
            if not games:
                raise RecordError(f"game {number}: {game}" if number > 1 or len(found) > 1 else str(game))
            print(f"tengen convert: warning: game {number} is left out: {game}", file=sys.stderr)
    for line in told.lines():
        print(f"tengen convert: warning: {line}", file=sys.stderr)
    return games


def _legal(game: Record | RecordError) -> Record | RecordError:
    """The game up to its first illegal move."""
    try:
        return legal(game) if isinstance(game, Record) else game
    except RecordError as error:
        return error


def read(source: str, origin: str | None, game: str | None, encoding: str = "") -> list[Record | RecordError]:
    """Read every game of a file, or of stdin, with errors of broken ones where the format continues after them (PGN); a
    guessed encoding gets a line on stderr.

    Raises RecordError when they are not of `game`, or nothing can be read.
    """
    from tengen.engine.records import text as text_format

    data = records.content_of(source) if source != STANDARD else _stdin()
    name = origin or records.format_of("" if source == STANDARD else source, data)
    if name in records.RECORDS and not records.RECORDS[name].is_text:
        form = records.loader(name, data if source == STANDARD else source)
        games: list[Record | RecordError] = [*form.loads_all(data)]
    else:
        text, _, warning = records.decoded(data, name, encoding)
        games = [*text_format.loads_all(text, game)] if name == "text" else records.all_of(text, name)
        if warning:
            print(f"tengen convert: warning: {warning}; --encoding NAME corrects it", file=sys.stderr)
    for record in games:
        if game is not None and isinstance(record, Record) and record.game != game:
            raise RecordError(f"'{source}' holds a game of {record.game}, not {game}")
    return games
