"""One conversation about chess: what the handler of every protocol keeps, and how it ends.

Every line is obeyed at once: searches run beside it (`background.py`), so that no question waits for one.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from tengen.protocols.chess import named_files, options
from tengen.protocols.chess.values import value_of
from tengen.protocols.output import OutputClosed
from tengen.protocols.session import LOOK_SECONDS, Session

if TYPE_CHECKING:
    from tengen.engine.config import Config
    from tengen.engine.play.player import Player
    from tengen.protocols.chess.background import Work
    from tengen.protocols.chess.engine import Engine
    from tengen.protocols.chess.position import Position
    from tengen.protocols.chess.tables import Tables
    from tengen.protocols.chess.timing import Lags

LEAVING = 0.3
"""Seconds that a move has to be told after `stop`, and that a count or a benchmark has after `quit`."""
LAST_WORDS = 0.5
"""Seconds that the last move has to be told after `quit` or the end of input."""


class Conversation:
    """The common part of the handlers of a session (see `session.Handler`)."""

    session: Session

    def __init__(self, config: Config) -> None:
        self.config = config
        self.settings = options.Settings(options.options_for(config))
        self.log = named_files.TalkLog()
        self.lags: Lags | None = None
        """The lost time of the clocks of this game; None before its first search."""
        self.work: Work | None = None
        """The running work, or the last one."""
        self._engine: Engine | None = None
        self._tables: Tables | None = None
        self._has_quit = False

    def tell(self, sentence: str) -> None:
        """A sentence for the user."""
        raise NotImplementedError

    def note(self, sentence: str) -> None:
        """A sentence that the user need not see, where the protocol has a place for it."""
        self.tell(sentence)

    def write(self, text: str) -> None:
        """Send whole lines from any thread; one that searches is not told when nobody reads any more."""
        with suppress(OutputClosed):
            self.session.write(text)

    @property
    def engine(self) -> Engine:
        """The player, made on first use."""
        if self._engine is None:
            from tengen.protocols.chess.engine import Engine

            self._engine = Engine(self.config, self.settings, self.tell)
        return self._engine

    def opened_tables(self) -> Tables:
        """Book and endgame tables as the options name them."""
        if self._tables is None:
            from tengen.protocols.chess.tables import Tables

            self._tables = Tables(self.tell, self.config.seed)
        self._tables.use(self.settings.text("book file"), self.settings.text("syzygypath"))
        return self._tables

    def player_at(self, position: Position) -> Player:
        """The player as the options say, at a position; its searches ask the endgame tables."""
        return self.engine.sync(position, self.opened_tables().folders())

    def set_option(self, name: str, given: str | None) -> None:
        """Take a value of the option of that name, in lower case, from its text; of a button none. Raises Refused."""
        if name == options.CLEAR_HASH.lower():
            self.engine.forget()
            return
        option = self.settings.options[name]
        value, remark = value_of(option, given)
        if remark:
            self.tell(remark)
        if option.kind == "text":
            value = named_files.path_of(option, str(value), self.config.file_root or ".")
        self.settings.values[name] = value
        if option.name == "Debug Log File":
            self.log.open(self.session, str(value))

    @property
    def is_busy(self) -> bool:
        """Whether something runs."""
        return self.work is not None and self.work.is_running

    def stop(self) -> None:
        """End what runs, and wait a moment until it is told."""
        if self.work is not None:
            self.work.stop()
            self.work.join(LEAVING)

    def open(self, session: Session) -> None:
        """Begin."""
        self.session = session

    def close(self) -> None:
        """Stop whatever runs. What ends by itself is waited for at the end of input; a count, a benchmark have a moment
        after `quit`, and all their time where that is the last line of a file."""
        is_count = self.work is not None and not self.work.is_search
        if not self._has_quit or (is_count and self.session.is_script):
            self.finish()
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

    def finish(self) -> None:
        """Wait for what ends by itself, and have it told then, as long as somebody waits for it."""
        work = self.work
        if work is None or not work.is_bounded:
            return
        work.release()
        while self.session.patience > 0 and not work.join(LOOK_SECONDS):
            pass
