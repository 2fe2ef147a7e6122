"""Game records on disk, inside the folder that --file-root names (by default the current one)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tengen.engine.games.base import Rules
from tengen.engine.games.forced_passes import with_passes
from tengen.protocols.gtp.board import has_komi
from tengen.protocols.gtp.framing import GtpError, Request
from tengen.protocols.gtp.handler import Gtp
from tengen.protocols.gtp.registry import command
from tengen.protocols.gtp.scoring import score
from tengen.protocols.sandbox import FileRefused

if TYPE_CHECKING:
    from tengen.engine.play.player import Player
    from tengen.engine.records.base import Record

CANNOT_LOAD, CANNOT_SAVE = "cannot load file", "cannot save file"


@command("loadsgf")
def loadsgf(gtp: Gtp, request: Request) -> str:
    """`loadsgf FILE [MOVE]`: the end of the main line, or the position before move MOVE. All or nothing.

    FILE may contain blanks and be put in quotes. Komi and rules come from the file where it names them.
    """
    name, number = file_and_number(gtp, request.rest)
    record = _read(gtp, name)
    last = len(record.moves) if number is None else max(0, number - 1)
    try:
        _replay(gtp, gtp.rehearsal(), record, last)  # an illegal move must not spoil the game
        _replay(gtp, gtp.player, record, last)
    except ValueError as error:
        raise GtpError(f"{CANNOT_LOAD}: {error}") from None
    return ""


@command("printsgf")
def printsgf(gtp: Gtp, request: Request) -> str:
    """The game as SGF, as the response (no argument, or "-") or into a file."""
    from tengen.engine.records import sgf

    content = sgf.dumps(record_of(gtp))
    if request.rest in ("", "-"):
        return content
    name = request.rest
    quoted_name = len(name) > 1 and name[0] == name[-1] == '"'
    try:
        gtp.sandbox.write(name[1:-1] if quoted_name else name, content.encode(), (".sgf",))
    except FileRefused as error:
        raise GtpError(f"{CANNOT_SAVE}: {error}") from None
    except OSError as error:
        raise GtpError(f"{CANNOT_SAVE}: {error.strerror or 'input/output error'}") from None
    return ""


def file_and_number(gtp: Gtp, rest: str) -> tuple[str, int | None]:
    """Split `FILE [MOVE]`. A last word of digits is the move unless a file of the whole name is there."""
    if rest.startswith('"') and '"' in rest[1:]:
        name, _, tail = rest[1:].partition('"')
        tail = tail.strip()
    else:
        name, _, tail = rest.rpartition(" ")
        if not name.strip() or not _is_number(tail) or _exists(gtp, rest):
            name, tail = rest, ""
    if tail and not _is_number(tail):
        raise GtpError(f"{CANNOT_LOAD}: the move number is not an integer")
    return name.strip(" "), int(tail) if tail else None


def record_of(gtp: Gtp) -> Record:
    """The game so far; a result only when two passes ended it."""
    from tengen.engine.records.base import Record

    player = gtp.player
    state, history = player.state, player.history
    start = history.start
    is_setup = history.is_setup and any(start.stones())
    result = ""
    if state.is_terminal():
        result = score(gtp)
    return Record(
        game=player.game.name,
        width=state.width,
        height=state.height,
        komi=player.komi if has_komi(player.game) else None,
        rules=player.rules.name,
        handicap=player.handicap if is_setup else 0,  # stones that were played are moves
        setup=start.stones() if is_setup else None,
        to_move=start.to_move if is_setup else None,
        moves=tuple(history.moves),
        result=result,
    )


def _read(gtp: Gtp, name: str) -> Record:
    from tengen.engine.records import sgf

    try:
        return sgf.loads(gtp.sandbox.read(name))
    except OSError as error:
        raise GtpError(f"{CANNOT_LOAD}: {error.strerror or 'input/output error'}") from None
    except ValueError as error:  # FileRefused, RecordError
        raise GtpError(f"{CANNOT_LOAD}: {error}") from None


def _replay(gtp: Gtp, player: Player, record: Record, last: int) -> None:
    """Bring `player` to the position after `last` moves of `record`. Raises ValueError."""
    if record.game != player.game.name:
        raise ValueError(f"the file holds a game of {record.game}, this is {player.game.name}")
    player.new_game(record.width, record.height)
    if record.komi is not None and has_komi(player.game):
        player.set_komi(record.komi)
    player.set_rules(_rules(gtp, record.rules) or gtp.player.rules)
    stones = record.setup or b""
    handicap = [cell for cell, stone in enumerate(stones) if stone == 1]
    if record.handicap >= 2 and len(handicap) == record.handicap and 2 not in stones:
        player.handicap_set(handicap)
    elif any(stones) or record.to_move:
        player.setup(stones or player.state.stones(), record.to_move or 0)
    player.play_sequence(with_passes(player.game, player.state, record.moves[:last]))


def _rules(gtp: Gtp, name: str | None) -> Rules | None:
    """The rules that the file names; None when it names none that are known."""
    from tengen.engine.games.hooks import hooks_of

    try:
        return hooks_of(gtp.player.game).parse_rules(gtp.player.game, name) if name else None
    except ValueError:
        return None


def _is_number(word: str) -> bool:
    return word.isascii() and word.isdigit() and len(word) < 10


def _exists(gtp: Gtp, name: str) -> bool:
    try:
        return gtp.sandbox.path(name).is_file()
    except (FileRefused, OSError):
        return False
