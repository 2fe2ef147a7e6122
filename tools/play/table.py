"""A board with two seats: moves, undo, hints, the end of the game, saving. Terminal and page drive this and draw it."""

from __future__ import annotations

from pathlib import Path

from tengen.engine import files, records
from tengen.engine.config import DEFAULT_SECONDS, Config, ConfigError
from tengen.engine.games import get_game
from tengen.engine.games.base import BLACK, Game, IllegalMove
from tengen.engine.games.naming import rules_named
from tengen.engine.info import Info
from tengen.engine.limits import Limits
from tengen.engine.play.live_game import LiveGame
from tengen.engine.play.player import Player
from tengen.engine.play.request import MoveRequest
from tengen.engine.records import Record
from tengen.tools.play.board import Look, look_of
from tengen.tools.play.moves import move_of, text_of
from tengen.tools.play.record import live_of, record_of
from tengen.tools.play.seats import Answer, Own, Person, Seat, follow, is_allowed

DRAWN = "0"
LINES = 5
"""Moves of a hint, of a search that looks ahead ply by ply."""


class Table:
    """A game and who plays it. Sides are 0, who moves first, and 1."""

    def __init__(self, live: LiveGame, seats: tuple[Seat, Seat], config: Config) -> None:
        """config: of who gives hints and judges."""
        self.live, self.seats, self.config = live, list(seats), config
        self.resigned: int | None = None
        self._adviser: Player | None = None
        self._judge: Player | None = None
        """Apart from the adviser, who may be thinking in another thread when a game ends."""
        self._result: tuple[tuple[int, int], tuple[int, str]] | None = None
        """Of a position that is over, by its key and the number of moves."""

    @property
    def game(self) -> Game:
        return self.live.game

    @property
    def look(self) -> Look:
        return look_of(self.game)

    @property
    def seat(self) -> Seat:
        """Who is to move."""
        return self.seats[self.live.state.to_move]

    @property
    def is_over(self) -> bool:
        return self.resigned is not None or self.live.is_over

    @property
    def names(self) -> tuple[str, str]:
        """Of both seats; people without a name are called by their colour."""
        first, second = (seat.name or side for seat, side in zip(self.seats, self.look.sides, strict=True))
        return first, second

    def play(self, move: int) -> str:
        """Play for the side to move; its text. Raises IllegalMove with the reason, also when the game is over."""
        if self.is_over:
            raise IllegalMove("the game is over")
        text = text_of(self.game, self.live.state, move) if self.live.state.is_legal(move) else ""
        self.live.play(self.live.state.to_move, move)
        return text

    def play_text(self, text: str) -> str:
        """Play what somebody typed. Raises ValueError with one sentence."""
        move = move_of(self.game, self.live.state, text)
        try:
            return self.play(move)
        except IllegalMove as error:
            raise ValueError(f"{text.strip()[:20]} cannot be played: {error}") from None

    def decide(self) -> Answer:
        """Let who is to move decide, and play it. Raises SeatError."""
        answer = self.seat.decide(self.live)
        if answer.move is None:
            self.resign()
        elif is_allowed(self.live, answer.move):
            self.play(answer.move)
        return answer

    def forced_pass(self) -> bool:
        """Play the pass of a side that has no other move; whether there was one."""
        state = self.live.state
        if self.is_over or self.game.passes != "forced" or not state.is_legal(state.pass_move):
            return False
        self.play(state.pass_move)
        return True

    def resign(self) -> None:
        """The side to move gives up."""
        self.resigned = self.live.state.to_move

    def undo(self) -> int:
        """Take back to where a person was last to move; how many plies. Raises ValueError where there is none."""
        if self.resigned is not None:
            self.resigned = None
            return 0
        count, moves = 0, self.live.moves
        people = [side for side in (0, 1) if self.seats[side].is_person] or [0, 1]
        while count < len(moves):
            count += 1
            if moves[-count][0] in people:
                self.live.undo(count)
                return count
        raise ValueError("there is nothing to take back")

    def adviser(self) -> Player:
        """Who hints and judges, at the position of the game."""
        if self._adviser is None:
            self._adviser = Player(self.config, is_lenient=True)
        follow(self._adviser, self.live)
        return self._adviser

    def hint(self) -> Info:
        """What the adviser thinks of the position."""
        bounds = self.config
        limits = (
            None if bounds.playouts or bounds.visits else Limits(seconds=bounds.time or DEFAULT_SECONDS, lines=LINES)
        )
        request = MoveRequest(self.live.state.to_move, limits=limits, play=False, resign=False)
        return self.adviser().genmove(request).info

    def result(self) -> tuple[int, str]:
        """(1, 0 or -1 for who moved first, why) of a game that is over. Judges the dead stones where that is needed."""
        if self.resigned is not None:
            return (-1 if self.resigned == BLACK else 1), "resign"
        key = self.live.state.state_key, len(self.live.moves)
        if self._result is None or self._result[0] != key:
            self._result = key, self._ended()
        return self._result[1]

    def _ended(self) -> tuple[int, str]:
        state, conventions = self.live.state, self.game.conventions
        if not state.is_terminal():
            return 0, "a draw by the rules"
        margin = self._judged() if conventions.is_agreed else state.result()
        sign = (margin > 0) - (margin < 0)
        return sign, f"{abs(margin):g}" if conventions.has_margin and margin else ""

    def _judged(self) -> float:
        """The score without the dead stones."""
        self._judge = self._judge or Player(self.config, is_lenient=True)
        follow(self._judge, self.live)
        return self._judge.final_status().score

    def result_text(self) -> str:
        """A sentence for people: "Black wins by 7.5"."""
        sign, why = self.result()
        if sign == 0:
            return "a draw"
        winner, loser = self.look.sides if sign > 0 else self.look.sides[::-1]
        if why == "resign":
            return f"{loser} resigns: {winner} wins"
        return f"{winner} wins" + (f" by {why}" if why else "")

    def record_result(self) -> str:
        """The result as records of the game have it; "" while it goes on."""
        if not self.is_over:
            return ""
        sign, why = self.result()
        if not self.game.conventions.has_points:
            return ("0-1", "1/2-1/2", "1-0")[sign + 1]
        if sign == 0:
            return DRAWN
        return ("B" if sign > 0 else "W") + "+" + ("R" if why == "resign" else why)

    def record(self) -> Record:
        """The game to save."""
        return record_of(self.live, self.names, self.record_result())

    def save(self, path: str | Path) -> Path:
        """Write the game in the format of the extension: without one, SGF, or what the game has. Raises RecordError,
        OSError."""
        target = Path(path)
        target = target if target.suffix else target.with_suffix(self.extension)
        record = self.record()
        form = records.format_of(target.name)
        files.write(target, records.dump_all([record], form).encode("utf-8", "replace"))
        return target

    @property
    def extension(self) -> str:
        """Of files that hold games of this kind."""
        conventions = self.game.conventions
        return ".sgf" if conventions.sgf else f".{conventions.record}"

    def set_strength(self, level: int | None, rank: str | None = None) -> str:
        """Players of ours play at this level or rank from now on; who they are then. Raises ConfigError."""
        mine = [seat for seat in self.seats if isinstance(seat, Own)]
        if not mine:
            raise ConfigError("nobody of ours plays here")
        for seat in mine:
            seat.set_strength(level, rank)
        return " and ".join(seat.name for seat in mine)

    def interrupt(self) -> None:
        """Any thread: who thinks answers now."""
        for seat in self.seats:
            seat.interrupt()
        if self._adviser is not None:
            self._adviser.interrupt()

    def close(self) -> None:
        """Everybody leaves."""
        for one in (*self.seats, self._adviser, self._judge):
            if one is not None:
                one.close()


def new_live(config: Config, size: int | None = None, komi: float | None = None, handicap: int = 0) -> LiveGame:
    """An empty board of the configuration's game and rules. Raises ConfigError with one sentence."""
    game = get_game(config.game)
    rules = rules_named(game, config.rules) if config.rules else game.default_rules
    live = LiveGame(game, rules)
    try:
        if komi is not None:
            if not game.conventions.has_komi:
                raise ValueError(f"komi: {game.name} has none")
            live.komi = komi
        live.new_game(game.default_size if size is None else size)
        if handicap:
            live.handicap_fixed(handicap)
    except ValueError as error:
        raise ConfigError(_said(str(error), size)) from None
    return live


def _said(error: str, size: int | None) -> str:
    if error == "unacceptable size":
        return f"size: there is no board of {size}"
    return f"handicap: {error}" if "stones" in error else error


def table_of(record: Record, seats: tuple[Seat, Seat], config: Config) -> tuple[Table, str]:
    """The game of a record, and what is to tell of it. Raises RecordError."""
    live, told = live_of(record)
    table = Table(live, seats, config)
    if record.result.endswith(("+R", "+Resign")) and not live.is_over:
        table.resigned = 1 if record.result[0] == "B" else 0
    return table, told


__all__ = ["Answer", "Person", "Table", "new_live", "table_of"]
