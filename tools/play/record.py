"""A live game as a record to save, and a record as a live game to go on with."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import TYPE_CHECKING, cast

from tengen.engine.games import get_game
from tengen.engine.games.base import BLACK, IllegalMove
from tengen.engine.games.forced_passes import with_passes
from tengen.engine.play.live_game import LiveGame
from tengen.engine.records import Record, RecordError
from tengen.engine.records.replay import recorded_start, rules_of

if TYPE_CHECKING:
    from tengen.engine._core import ChessState


def record_of(live: LiveGame, players: tuple[str, str] = ("", ""), result: str = "") -> Record:
    """The game so far. result: as a record of its game has it; "" while it goes on."""
    start, game = live.history.start, live.game
    has_points = game.conventions.has_points
    usual = game.new_state(start.width, start.height, live.rules, live.komi)
    is_setup = start.state_key != usual.state_key
    return Record(
        game=game.name,
        width=start.width,
        height=start.height,
        komi=live.komi if game.conventions.has_komi else None,
        rules=rules_text(live),
        handicap=live.handicap if is_setup and has_points else 0,
        setup=start.stones() if is_setup and has_points else None,
        position=_position(live) if is_setup and not has_points else "",
        to_move=start.to_move if is_setup else None,
        moves=live.moves,
        players=players,
        result=result,
        properties={"DT": date.today().isoformat()},
    )


def rules_text(live: LiveGame) -> str | None:
    """Rules as the records of their game name them; None where nobody needs them."""
    from tengen.engine.games.go.rules import GoRules, rules_to_json

    rules = live.rules
    if isinstance(rules, GoRules) and rules.name == "custom":
        return rules_to_json(rules)
    is_said = live.game.conventions.has_komi or rules.name != live.game.default_rules.name
    return rules.name if is_said else None


def live_of(record: Record) -> tuple[LiveGame, str]:
    """The game of a record at its end, and what is to tell of it, "" for nothing: it ends before an illegal move.

    Raises RecordError for a board that its game does not have.
    """
    game = get_game(record.game)
    start = recorded_start(record)
    live = LiveGame(game, rules_of(record))
    if record.komi is not None and game.conventions.has_komi:
        live.komi = record.komi
    live.new_game(record.width, record.height)
    if record.setup is not None or record.position or record.first != BLACK:
        live.begin(start)
    told = "stones that are set up in mid-game are left out" if record.changes else ""
    last = record.changes[0].after if record.changes else len(record.moves)
    return live, _replayed(live, record.moves[:last]) or told


def _replayed(live: LiveGame, moves: Sequence[tuple[int, int]]) -> str:
    """Play the moves up to one that is illegal; what is to tell of that."""
    try:
        moves = with_passes(live.game, live.state, moves)
    except IllegalMove:
        pass
    for number, (colour, move) in enumerate(moves, 1):
        try:
            live.play(colour, move)
        except IllegalMove as error:
            return f"move {number} is illegal ({error}): the game is read up to it"
    return ""


def _position(live: LiveGame) -> str:
    from tengen.engine.games.chess.text import fen_of

    return fen_of(cast("ChessState", live.history.start))


__all__ = ["RecordError", "live_of", "record_of", "rules_text"]
