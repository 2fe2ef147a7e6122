"""Game records on disk, inside the folder that --file-root names (by default the current one)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from tengen.engine.games.base import Rules
from tengen.engine.games.forced_passes import with_passes
from tengen.engine.sentence import printable
from tengen.protocols.gtp.board import has_komi
from tengen.protocols.gtp.framing import GtpError, Request
from tengen.protocols.gtp.handler import Gtp
from tengen.protocols.gtp.registry import command
from tengen.protocols.gtp.scoring import score
from tengen.protocols.sandbox import FileRefused

if TYPE_CHECKING:
    from tengen.engine.play.player import Player
    from tengen.engine.records.base import Change, Record

CANNOT_LOAD, CANNOT_SAVE = "cannot load file", "cannot save file"


@command("loadsgf")
def loadsgf(gtp: Gtp, request: Request) -> str:
    """Load a game, `loadsgf FILE [MOVE]`: the end of the main line, or the position before move MOVE.

    FILE may contain blanks and be put in quotes. Komi and rules come from the file where it names them. Of a file that
    is damaged or has an illegal move the game is loaded up to there; what was not plain is told on stderr.
    """
    name, number = file_and_number(gtp, request.rest)
    record = _read(gtp, name)
    last = len(record.moves) if number is None else max(0, number - 1)
    try:
        record = _legal(gtp, record, last)  # on another player: what cannot be loaded must not spoil the game
        _replay(gtp, gtp.player, record, last)
    except ValueError as error:
        raise GtpError(f"{CANNOT_LOAD}: {error}") from None
    for warning in record.warnings:
        gtp.session.complain(f"{gtp.name}: {printable(name, 100)}: {warning}")
    return ""


@command("printsgf")
def printsgf(gtp: Gtp, request: Request) -> str:
    """Write the game as SGF, as the response (no argument, or "-") or into a file."""
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
    state, parts = player.state, player.history.parts
    start, is_setup = parts[0].start, parts[0].is_setup and any(parts[0].start.stones())
    result = ""
    if state.is_terminal():
        result = score(gtp)
    return Record(
        game=player.game.name,
        width=state.width,
        height=state.height,
        komi=player.komi if has_komi(player.game) else None,
        rules=rules_text(player.rules),
        handicap=player.handicap if is_setup else 0,  # stones that were played are moves
        setup=start.stones() if is_setup else None,
        to_move=start.to_move if is_setup else None,
        moves=tuple(move for part in parts for move in part.moves),
        result=result,
        changes=tuple(_changes(player)),
    )


def rules_text(rules: Rules) -> str:
    """Rules as a record names them: those without a name as KataGo's object."""
    from tengen.engine.games.go.rules import GoRules, rules_to_json

    return rules_to_json(rules) if isinstance(rules, GoRules) and rules.name == "custom" else rules.name


def _changes(player: Player) -> Iterator[Change]:
    """What was set up in mid-game."""
    from tengen.engine.records.base import Change

    parts, played = player.history.parts, 0
    for before, after in pairwise(parts):
        played += len(before.moves)
        state = before.start.copy()
        for colour, move in before.moves:
            state.play_as(colour, move)
        new = after.start.stones()
        stones = [(cell, new[cell]) for cell, old in enumerate(state.stones()) if new[cell] != old]
        yield Change(played, tuple(stones), after.start.to_move)


def _read(gtp: Gtp, name: str) -> Record:
    from tengen.engine.records import sgf

    try:
        return sgf.loads(gtp.sandbox.read(name))
    except OSError as error:
        raise GtpError(f"{CANNOT_LOAD}: {error.strerror or 'input/output error'}") from None
    except ValueError as error:  # FileRefused, RecordError
        raise GtpError(f"{CANNOT_LOAD}: {error}") from None


def _legal(gtp: Gtp, record: Record, last: int) -> Record:
    """The record up to its first move that is illegal, where that is one of those wanted. Raises ValueError."""
    from tengen.engine.records.legal import cut

    player, wanted = gtp.rehearsal(), last
    while True:
        try:
            _replay(gtp, player, record, wanted)
            return record
        except _Illegal as error:
            record = cut(record, error.number, error.reason, is_setup=error.is_setup)
            wanted = min(wanted, len(record.moves))


class _Illegal(ValueError):
    """A move of a record, from 1, that cannot be played, or stones that cannot be set up before it."""

    def __init__(self, number: int, reason: str, *, is_setup: bool = False) -> None:
        super().__init__(f"move {number} is illegal: {reason}")
        self.number, self.reason, self.is_setup = number, reason, is_setup


def _replay(gtp: Gtp, player: Player, record: Record, last: int) -> None:
    """Bring `player` to the position after `last` moves of `record`. Raises ValueError, _Illegal of a move."""
    from tengen.engine.records.replay import side_after, stones_after

    if record.game != player.game.name:
        raise ValueError(f"the file holds a game of {record.game}, this is {player.game.name}")
    _begin(gtp, player, record)
    played = 0
    for change in record.changes:
        if change.after > last:
            break
        _play(player, record.moves, played, change.after)
        played = change.after
        try:
            player.change(stones_after(player.state.stones(), change), side_after(record, change))
        except ValueError as error:
            raise _Illegal(played + 1, str(error), is_setup=True) from None
    _play(player, record.moves, played, last)


def _begin(gtp: Gtp, player: Player, record: Record) -> None:
    """The position before the first move, with the komi and the rules of the record. Raises ValueError."""
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


def _play(player: Player, moves: Sequence[tuple[int, int]], first: int, last: int) -> None:
    """Play the moves of a record behind `first`, up to `last` or to the one that _Illegal names."""
    wanted = moves[first:last]
    try:
        player.play_sequence(with_passes(player.game, player.state, wanted))
        return
    except ValueError:
        pass
    for number, move in enumerate(wanted, first + 1):
        try:
            player.play_sequence(with_passes(player.game, player.state, [move]))
        except ValueError as error:
            raise _Illegal(number, str(error).removeprefix("move 1 is illegal: ")) from None


def _rules(gtp: Gtp, name: str | None) -> Rules | None:
    """The rules that the file names, or the nearest; None when it names none that are known."""
    from tengen.engine.games.hooks import hooks_of

    try:
        return hooks_of(gtp.player.game).read_rules(gtp.player.game, name)[0] if name else None
    except ValueError:
        return None


def _is_number(word: str) -> bool:
    return word.isascii() and word.isdigit() and len(word) < 10


def _exists(gtp: Gtp, name: str) -> bool:
    try:
        return gtp.sandbox.path(name).is_file()
    except (FileRefused, OSError):
        return False
