"""One UCI conversation: takes lines, finds the command, keeps what belongs to the conversation.

Every line is obeyed at once: searches run beside it (`background.py`), so that `isready` never waits for one. Unknown
words before a command are passed over, as UCI wants it; but `go` and `quit` have to begin their line, since a move that
nobody asked for would be taken for another search's. What cannot be obeyed is told in an `info string`.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from tengen.engine.sentence import excerpt, printable
from tengen.protocols.lines import Line
from tengen.protocols.output import OutputClosed
from tengen.protocols.session import GRACE, LOOK_SECONDS, Session, failure
from tengen.protocols.uci import named_files, options
from tengen.protocols.uci.registry import AT_ONCE, COMMANDS, verb_of

if TYPE_CHECKING:
    from tengen.engine.config import Config
    from tengen.protocols.uci.background import Work
    from tengen.protocols.uci.engine import Engine
    from tengen.protocols.uci.position import Position
    from tengen.protocols.uci.tables import Tables
    from tengen.protocols.uci.timing import Lags

LEAVING = 0.3
"""Seconds that a move has to be told after `stop`, and that a count or a benchmark has after `quit`."""
LAST_WORDS = 0.5
"""Seconds that the last move has to be told after `quit` or the end of input."""


class Uci:
    """The handler of a UCI session (see `session.Handler`)."""

    session: Session

    def __init__(self, config: Config) -> None:
        self.config = config
        self.settings = options.Settings(options.options_for(config))
        self.log = named_files.TalkLog()
        self.lags: Lags | None = None
        """The lost time of the clocks of this game; None before its first search."""
        self.work: Work | None = None
        """The running work, or the last one."""
        self.is_debugging = False
        self._engine: Engine | None = None
        self._tables: Tables | None = None
        self._position: Position | None = None
        self._has_quit = False

    # -- for commands -------------------------------------------------------------------------------------

    def write(self, text: str) -> None:
        """Send whole lines from any thread; one that searches is not told when nobody reads any more."""
        with suppress(OutputClosed):
            self.session.write(text)

    def tell(self, sentence: str) -> None:
        """A sentence for the user."""
        self.write(f"info string {printable(sentence, 400)}\n")

    def tell_all(self, text: str) -> None:
        """Lines for the user."""
        self.session.write("".join(f"info string {line}\n" for line in text.splitlines()))

    @property
    def engine(self) -> Engine:
        """The player, made on first use."""
        if self._engine is None:
            from tengen.protocols.uci.engine import Engine

            self._engine = Engine(self.config, self.settings, self.tell)
        return self._engine

    @property
    def position(self) -> Position:
        """The position of the GUI, made on first use."""
        if self._position is None:
            from tengen.protocols.uci.position import Position

            self._position = Position()
        return self._position

    def opened_tables(self) -> Tables:
        """Book and endgame tables as the options name them."""
        if self._tables is None:
            from tengen.protocols.uci.tables import Tables

            self._tables = Tables(self.tell, self.config.seed)
        self._tables.use(self.settings.text("book file"), self.settings.text("syzygypath"))
        return self._tables

    @property
    def is_busy(self) -> bool:
        """Whether something runs."""
        return self.work is not None and self.work.is_running

    def begin(self, work: Work, *, tells: bool = False) -> None:
        """Have it run beside the conversation. tells: its end is told without being asked for."""
        self.work = work
        if tells:
            work.release()
        work.start()

    def stop(self) -> None:
        """End what runs, and wait a moment until it is told."""
        if self.work is not None:
            self.work.stop()
            self.work.join(LEAVING)

    def end(self) -> None:
        """End what runs, and wait until it has told its end."""
        if self.work is not None:
            self.work.stop()
            self.work.join()
            self.work = None

    # -- session.Handler ----------------------------------------------------------------------------------

    def open(self, session: Session) -> None:
        """Begin."""
        self.session = session

    def arrived(self, line: Line) -> None:
        """Reader thread: a `quit` behind what is waited for after the end of input."""
        if line.data[:40].split(None, 1)[:1] == [b"quit"]:
            self.session.hasten(GRACE)

    def handle(self, line: Line) -> bool:
        """Obey one line; False after `quit`."""
        words = line.data.decode("utf-8", "replace").lstrip("\ufeff").split()
        verb, at = verb_of(words)
        if verb is None:
            if words:
                self.tell(f"unknown command {excerpt(words[0])}")
            return True
        self.session.warn("" if self.lags is None else self.lags.notice)
        if line.overlong:
            self.tell(f"{verb}: the line is too long, its end was cut off")
        if verb == "quit":
            self._has_quit = True
            return False
        if (self.session.is_script or self.session.has_ended) and verb not in AT_ONCE:
            self._finish()
        COMMANDS[verb](self, words[at + 1 :])
        return True

    def failed(self, line: Line, error: Exception) -> None:
        """A command broke: tell it, and answer a `go` with any move, since the GUI waits for one."""
        self.tell(failure(error))
        if line.data.split()[:1] == [b"go"] and not self.is_busy:
            legal = list(self.position.state.legal_moves())
            self.write(f"bestmove {self.position.text(legal[0]) if legal else '(none)'}\n")

    def close(self) -> None:
        """Stop whatever runs. What ends by itself is waited for at the end of input; a count, a benchmark have a moment
        after `quit`, and all their time where that is the last line of a file."""
        is_count = self.work is not None and not self.work.is_search
        if not self._has_quit or (is_count and self.session.is_script):
            self._finish()
        elif self.work is not None and is_count:
            self.work.join(LEAVING)
        if self.work is not None:
            self.work.stop()
            self.work.join(LEAVING if self.session.is_deserted else LAST_WORDS)
        if self._tables is not None and not self.is_busy:
            self._tables.close()
        if self._engine is not None:
            self._engine.close()
        self.log.close(self.session)

    # -- inside -------------------------------------------------------------------------------------------

    def _finish(self) -> None:
        """Wait for what ends by itself, and have it told then, as long as somebody waits for it."""
        work = self.work
        if work is None or not work.is_bounded:
            return
        work.release()
        while self.session.patience > 0 and not work.join(LOOK_SECONDS):
            pass
