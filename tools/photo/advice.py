"""The engine's advice on a position that was read: who has won, and the best move."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from tengen.engine.config import Config, ConfigError
from tengen.engine.games.base import BLACK, IllegalMove
from tengen.engine.limits import Limits
from tengen.engine.play.player import Player
from tengen.engine.play.request import MoveRequest
from tengen.engine.records import Record, RecordError
from tengen.engine.records.points import point_text
from tengen.engine.records.replay import start_of
from tengen.tools.photo import territory, territory_report
from tengen.tools.photo.position import Facts, counts, record_of
from tengen.tools.photo.repair import with_liberties
from tengen.tools.photo.results import PhotoError, Reading

SECONDS = 5.0
"""Thinking time of --best-move."""
_SIDES = ("Black", "White")


def score(reading: Reading, facts: Facts) -> str:
    """Go: margin and territory; Reversi: discs; Gomoku: who has five. Raises PhotoError for what has no score."""
    if reading.game == "go":
        judged = judged_territory(reading, facts)
        return "\n".join([*territory_report.sentences(judged), territory_report.diagram(judged)])
    record = record_of(reading, facts)
    return _discs(record) if reading.game == "reversi" else _fives(record)


def judged_territory(reading: Reading, facts: Facts) -> territory.Territory:
    """Judge the owners of points on a board of Go that was read. Raises PhotoError for stones that cannot stand so."""
    if reading.window is not None:
        raise PhotoError("a part of a board has no score: what lies beyond it is not known")
    standing, supposed = with_liberties(reading)
    judged = territory.territory_map(standing.stones, facts.rules, facts.komi, next_player=facts.next)
    return replace(judged, supposed=tuple(supposed))


def best_move(reading: Reading, facts: Facts, *, limits: Limits | None = None) -> str:
    """Describe the engine's move and its expectation in a sentence. Raises PhotoError when there is nothing to play."""
    record, how = to_play(record_of(reading, facts))
    state: Any = _state(record)
    if state.is_terminal():
        raise PhotoError("the game is over: there is no move to find")
    player = _player(record, facts)
    try:
        colour = record.first
        if record.game == "reversi" and state.legal_moves() == [state.pass_move]:
            return f"{_SIDES[colour]} has no move and must pass{how}"
        player.setup(record.setup or b"", colour)
        limits = limits or Limits(seconds=SECONDS)
        decision = player.genmove(MoveRequest(colour, limits, play=False, resign=False))
    except (IllegalMove, ValueError) as error:
        raise PhotoError(f"there is no move to find: {error}") from None
    finally:
        player.close()
    best = next((line for line in decision.info.lines if line.move == decision.move), decision.info.best)
    chance = f": wins {100 * (best.win + best.draw / 2):.0f} %" if best is not None else ""
    assert decision.move is not None, "it may not resign"
    move = point_text(record.game, record.width, record.height, decision.move)
    return f"best move for {_SIDES[colour]}: {move}{chance} ({decision.info.visits} visits){how}"


def to_play(record: Record) -> tuple[Record, str]:
    """The record with a side to move, and how it was guessed (or "").

    Where the game tells nothing, in Go above all, White is taken to be next if Black has more stones.
    """
    if record.to_move is not None:
        return record, ""
    black, white = counts(record)
    side = 1 if black > white else BLACK
    guess = f"; guessed that {_SIDES[side]} is next, from {black} black and {white} white stones (--next says better)"
    return replace(record, to_move=side), guess


def _player(record: Record, facts: Facts) -> Player:
    """An engine at this board. Raises PhotoError for rules that the game has not."""
    try:
        player = Player(Config(game=record.game, rules=facts.rules, seed=1))
        player.new_game(record.width, record.height)
        if facts.komi is not None:
            player.set_komi(facts.komi)
    except (ConfigError, ValueError) as error:
        raise PhotoError(str(error)) from None
    return player


def _state(record: Record) -> Any:
    try:
        return start_of(record)
    except RecordError as error:
        raise PhotoError(f"the position breaks the rules: {error}; correct it with --edit") from None


def _discs(record: Record) -> str:
    """Reversi: the discs, and whether anybody can still move."""
    state = _state(record)
    black, white = state.discs(0), state.discs(1)
    empty = 64 - black - white
    found = f"Black has {black} discs, White {white}, {empty} square{' is' if empty == 1 else 's are'} empty"
    if not state.is_terminal():
        return f"{found}; the game is not over"
    final = int(state.result())
    if final == 0:
        return f"{found}: a draw"
    return f"{found}: {territory.margin_text(final)}" + (" with the empty squares" if final != black - white else "")


def _fives(record: Record) -> str:
    """Gomoku: who has won, and by which row."""
    state = _state(record)
    if state.winner < 0:
        empty = "; the board is full: a draw" if 0 not in state.stones() else ""
        return f"nobody has five in a row under {state.rule} rules{empty}"
    row = " ".join(point_text("gomoku", record.width, record.height, cell) for cell in state.winning_line())
    return f"{_SIDES[state.winner]} has won under {state.rule} rules: {row}"
