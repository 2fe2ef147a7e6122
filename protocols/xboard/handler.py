"""One conversation of XBoard's protocol: takes lines, finds the command, keeps the game.

Searches run beside the conversation. What they decided is taken over (`settle`) before the next line is obeyed; what a
line makes useless is abandoned (`halt`). One lock keeps lines and the ends of searches apart.
"""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING

from tengen.engine.config import DEFAULT_SECONDS
from tengen.engine.sentence import printable
from tengen.protocols.chess.conversation import LAST_WORDS, Conversation
from tengen.protocols.session import GRACE, failure
from tengen.protocols.xboard.clock import GameClock
from tengen.protocols.xboard.opponent import Opponent
from tengen.protocols.xboard.registry import AT_ONCE, COMMANDS, Refused

if TYPE_CHECKING:
    from tengen.engine.config import Config
    from tengen.protocols.chess.bounds import Go
    from tengen.protocols.chess.position import Position
    from tengen.protocols.lines import Line
    from tengen.protocols.xboard.edit import Edit
    from tengen.protocols.xboard.thinking import Thinking

UNKNOWN = "unknown command"


class XBoard(Conversation):
    """The handler of an XBoard session (see `session.Handler`)."""

    def __init__(self, config: Config) -> None:
        super().__init__(config)
        self.version = 1
        self.clock = GameClock()
        self.opponent = Opponent(config.resign)
        self.posts, self.ponders = False, config.ponder
        self.side: int | None = 1
        """The colour that the engine plays; None in force mode."""
        self.is_analysing = False
        self.is_chess960 = self.settings.check("uci_chess960")
        self.is_unusable = False
        """Whether a position was set up that cannot be played."""
        self.excluded: set[int] = set()
        """Moves of the position that are not searched."""
        self.expected: int | None = None
        """The opponent's move that the last search expects here."""
        self.edit: Edit | None = None
        self._thinking: Thinking | None = None
        self._begun = 0.0
        self._is_counted = False
        """Whether nodes bound the moves of the player."""
        self._position: Position | None = None
        self._lock = threading.RLock()

    # -- for commands -------------------------------------------------------------------------------------

    def tell(self, sentence: str) -> None:
        """A sentence for the user, in a window of its own."""
        self.write(f"tellusererror {printable(sentence, 400)}\n")

    def note(self, sentence: str) -> None:
        """A comment, for whoever reads along."""
        if self.version > 1:
            self.write(f"# {printable(sentence, 400)}\n")

    def send(self, line: str) -> None:
        """One line."""
        self.session.write(f"{line}\n")

    @property
    def position(self) -> Position:
        """The game, made on first use."""
        if self._position is None:
            from tengen.engine.games.chess.text import START
            from tengen.protocols.chess.position import Position

            self._position = Position()
            self._position.begin(START, is_chess960=self.is_chess960)
        return self._position

    @property
    def thinking(self) -> Thinking | None:
        """The search that runs; None: none."""
        return self._thinking

    @property
    def is_own_turn(self) -> bool:
        """Whether the engine is to move."""
        return self.side is not None and self.side == self.position.state.to_move

    def think(self, started: float) -> None:
        """Begin to think about the engine's move. started: when its clock did, by `time.monotonic`."""
        self._begun = started
        self._is_counted = self.engine.player.level.limits.is_counted
        self._begin(self.position, self.bounds(), started)

    def ponder(self) -> None:
        """Think in the opponent's time about the position after the move that is expected, if that is wanted."""
        side, position, expected = self.side, self.position, self.expected
        if not self.ponders or self.is_unusable or side is None or self.is_own_turn or expected is None:
            return
        if self.is_busy or self.clock.rate is not None or not position.state.is_legal(expected):
            return
        if self._has_quit or self.session.has_ended or self.session.is_deserted:
            return
        from tengen.protocols.xboard import notation

        if self.posts:
            self.send(f"Hint: {notation.write(position.state, expected)}")
        self._begin(position.after(expected), self.bounds()._replace(is_ponder=True), time.monotonic(), expected)

    def analyse(self) -> None:
        """Begin to analyse the position, anew."""
        from tengen.protocols.chess.bounds import Go

        self.halt()
        if not self.is_unusable:
            self._begin(self.position, Go(is_infinite=True), time.monotonic())

    def hit(self, started: float) -> None:
        """The move that is pondered on was played: think on, by the clock."""
        assert self._thinking is not None
        self._begun = started
        self._thinking.ponderhit(self.bounds())

    def glance(self) -> int | None:
        """A move of the position after a short look, while nothing runs; None where there is none."""
        from tengen.protocols.xboard.thinking import glance

        return glance(self.player_at(self.position))

    def bounds(self) -> Go:
        """What bounds the engine's move as it is now."""
        side = self.position.state.to_move if self.side is None else self.side
        fallback = self.config.time or (None if self._is_counted else DEFAULT_SECONDS)
        return self.clock.bounds(side, fallback)

    def settle(self) -> None:
        """Take over the move of a search that is decided."""
        work = self._thinking
        if work is None:
            return
        if not work.is_decided:
            if not work.is_running:  # it broke
                self.halt()
            return
        work.join()
        self._thinking = self.work = None
        choice = work.choice
        self.expected = choice.reply
        if choice.move is None:
            self.side = None  # the game is over, or given up
            return
        self.clock.spent(time.monotonic() - self._begun)
        self.opponent.moved(choice.info)
        self.position.play([choice.move])
        self.excluded.clear()

    def halt(self) -> None:
        """End what runs. A move that is decided counts; else none is told."""
        work = self._thinking
        if work is None:
            return
        waiting = work.abandon()
        if waiting is None:
            self.settle()
            return
        self._thinking = self.work = None
        if waiting:
            self.session.write(waiting)

    def set_up(self, fen: str) -> None:
        """Go to a position. One that cannot be played is told, and no move is legal until there is another one."""
        from tengen.protocols.chess.position import Unusable

        self.edit = None
        try:
            self.position.begin(fen, is_chess960=self.is_chess960)
        except Unusable as error:
            self.is_unusable = True
            self.tell(f"Illegal position ({error})")
        else:
            self.is_unusable = False
        self.moved()

    def moved(self) -> None:
        """The position is another one."""
        self.excluded.clear()
        self.expected = None
        if self.is_analysing:
            self.analyse()

    # -- session.Handler ----------------------------------------------------------------------------------

    def arrived(self, line: Line) -> None:
        """Reader thread: a `quit` behind what is waited for after the end of input."""
        if line.data[:40].split(None, 1)[:1] == [b"quit"]:
            self.session.hasten(GRACE)

    def handle(self, line: Line) -> bool:
        """Obey one line; False after `quit`."""
        text = line.data.decode("utf-8", "replace").lstrip("\ufeff").strip()
        verb, rest = (*text.split(None, 1), "", "")[:2]
        if verb == "quit":
            self._has_quit = True
            return False
        if not text:
            return True
        self.session.warn("" if self.lags is None else self.lags.notice)
        if (self.session.is_script or self.session.has_ended) and verb not in AT_ONCE:
            self.finish()
            if self._thinking is not None and self._thinking.is_own:
                self.stop()  # nobody waits any longer
        with self._lock:
            self.settle()
            self._obey(text, verb, "" if line.overlong else rest)
        return True

    def failed(self, line: Line, error: Exception) -> None:
        """A command broke: tell it, and move where it is the engine's turn, since the GUI waits for that."""
        with self._lock:
            self.tell(failure(error))
            if self.is_own_turn and not self.is_busy and (legal := list(self.position.state.legal_moves())):
                from tengen.protocols.xboard import notation

                self.send(f"move {notation.write(self.position.state, legal[0])}")
                self.position.play(legal[:1])
                self.moved()

    def close(self) -> None:
        """As `Conversation.close`; only a move of the engine is waited for, and not after `quit`."""
        work = self._thinking
        if work is not None and (self._has_quit or not work.is_own):
            work.abandon(LAST_WORDS)
        super().close()

    # -- inside -------------------------------------------------------------------------------------------

    def _obey(self, text: str, verb: str, rest: str) -> None:
        from tengen.protocols.xboard import notation

        if self.edit is not None and self.edit.obeys(text):
            if self.edit.is_done:
                self.set_up(self.edit.fen())
            return
        command = COMMANDS.get(verb)
        try:
            if command is not None:
                command(self, rest)
            elif notation.is_move(verb):
                COMMANDS["usermove"](self, verb)
            else:
                raise Refused(UNKNOWN)
        except Refused as error:
            self.send(f"Error ({error}): {printable(text, 100)}")

    def _begin(self, position: Position, go: Go, started: float, expected: int | None = None) -> None:
        from tengen.protocols.chess.tasks import task_of
        from tengen.protocols.xboard.thinking import Manners, Thinking

        allowed: list[int] = []
        if self.excluded and position is self.position:
            allowed = [move for move in position.state.legal_moves() if move not in self.excluded]
        task = task_of(self, position, go, started, moves=allowed, node_rate=self.clock.rate)
        manners = Manners(self.opponent, lambda: self.posts, self._has_told, expected, self.is_analysing)
        self._thinking = self.work = Thinking(task, manners)
        self._thinking.start()

    def _has_told(self, work: Thinking) -> None:
        """In the thread of a search that has told its move: think on, unless a line came first."""
        with self._lock:
            if self._thinking is not work:
                return
            try:
                self.settle()
                self.ponder()
            except Exception as error:
                self.session.complain(failure(error))
