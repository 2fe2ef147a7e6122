"""One UCI conversation: takes lines, finds the command, keeps what belongs to the conversation.

Every line is obeyed at once: searches run beside it (`work.py`), so that `isready` never waits for one. Unknown words
before a command are passed over, as UCI wants it; but `go` and `quit` have to begin their line, since a move that
nobody asked for would be taken for another search's. What cannot be obeyed is told in an `info string`.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from tengen.engine.sentence import excerpt, printable
from tengen.engine.version import __version__
from tengen.protocols.lines import Line
from tengen.protocols.output import OutputClosed
from tengen.protocols.session import GRACE, Session, failure
from tengen.protocols.uci import go as going
from tengen.protocols.uci import named_files, options, setting

if TYPE_CHECKING:
    from tengen.engine._core import ChessState
    from tengen.engine.config import Config
    from tengen.protocols.uci.engine import Engine
    from tengen.protocols.uci.position import Position
    from tengen.protocols.uci.tables import Tables
    from tengen.protocols.uci.thinking import Thinking
    from tengen.protocols.uci.timing import Lags
    from tengen.protocols.uci.work import Work

LEAVING = 0.3
"""Seconds that the last move has to be told after `quit`."""


class Uci:
    """The handler of a UCI session (see `session.Handler`)."""

    session: Session

    def __init__(self, config: Config) -> None:
        self._config = config
        self.settings = options.Settings(options.options_for(config))
        self._engine: Engine | None = None
        self._tables: Tables | None = None
        self._position: Position | None = None
        self._lags: Lags | None = None
        self._work: Work | None = None
        self._log = named_files.TalkLog()
        self._has_quit = self._is_debugging = False

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

            self._engine = Engine(self._config, self.settings, self.tell)
        return self._engine

    @property
    def position(self) -> Position:
        """What the GUI shows, made on first use."""
        if self._position is None:
            from tengen.protocols.uci.position import Position

            self._position = Position()
        return self._position

    # -- session.Handler ----------------------------------------------------------------------------------

    def open(self, session: Session) -> None:
        """Begin."""
        self.session = session

    def arrived(self, line: Line) -> None:
        """Nothing waits for a search, so that there is nothing to do here."""

    def handle(self, line: Line) -> bool:
        """Obey one line; False after `quit`."""
        words = line.data.decode("utf-8", "replace").lstrip("\ufeff").split()
        verb, at = _verb(words)
        if verb is None:
            if words:
                self.tell(f"unknown command {excerpt(words[0])}")
            return True
        if line.overlong:
            self.tell(f"{verb}: the line is too long, its end was cut off")
        if verb == "quit":
            self._has_quit = True
            return False
        if self.session.is_script and verb not in AT_ONCE:
            self._finish(None)
        COMMANDS[verb](self, words[at + 1 :])
        return True

    def failed(self, line: Line, error: Exception) -> None:
        """A command broke: tell it, and answer a `go` with any move, since the GUI waits for one."""
        self.tell(failure(error))
        if line.data.split()[:1] == [b"go"] and not self._is_busy:
            legal = list(self.position.state.legal_moves())
            self.write(f"bestmove {self.position.text(legal[0]) if legal else '(none)'}\n")

    def close(self) -> None:
        """Stop whatever runs. What ends by itself has a moment for it at the end of input, all time in a script."""
        if not self._has_quit:
            self._finish(None if self.session.is_script else GRACE)
        elif self._work is not None and not self._work.is_search:
            self._finish(GRACE)
        work = self._work
        if work is not None:
            work.stop()
            work.join(LEAVING)
        if self._tables is not None and not self._is_busy:
            self._tables.close()
        if self._engine is not None:
            self._engine.close()
        self._log.close(self.session)

    # -- commands -----------------------------------------------------------------------------------------

    def _uci(self, words: list[str]) -> None:
        name = self._config.name or "Tengen"
        version = self._config.version_string or ("" if self._config.name else __version__)
        lines = [f"id name {name} {version}".rstrip(), "id author the Tengen developers"]
        lines += [options.option_line(option) for option in self.settings.options.values()]
        lines += [f"option name {options.CLEAR_HASH} type button", "uciok"]
        self.session.write("".join(f"{line}\n" for line in lines))

    def _isready(self, words: list[str]) -> None:
        """Make all that the first move needs, before a clock runs; unless it is at work."""
        if not self._is_busy:
            from tengen.protocols.uci import thinking  # noqa: F401

            self.engine.sync(self.position)
            self._opened_tables()
        self.session.write("readyok\n")

    def _setoption(self, words: list[str]) -> None:
        try:
            self._set(setting.parse(" ".join(words)))
        except setting.Refused as error:
            self.tell(str(error))

    def _set(self, given: setting.Setting) -> None:
        """Take one value. Raises Refused."""
        if given.name == options.CLEAR_HASH.lower():
            self.engine.forget()
            return
        option = self.settings.options.get(given.name)
        if option is None:
            self.tell(f"no option is called {excerpt(given.name, 60)}")
            return
        value, remark = setting.value_of(option, given.value)
        if remark:
            self.tell(remark)
        if option.kind == "text":
            value = named_files.path_of(option, str(value), self._config.file_root or ".")
        self.settings.values[given.name] = value
        if option.name == "Debug Log File":
            self._log.open(self.session, str(value))

    def _ucinewgame(self, words: list[str]) -> None:
        self.engine.forget()
        self._lags = None

    def _set_position(self, words: list[str]) -> None:
        from tengen.protocols.uci.position import Unusable

        try:
            remark = self.position.set(words, self.settings.check("uci_chess960"))
        except Unusable as error:
            self.tell(str(error))
        else:
            if remark:
                self.tell(remark)

    def _go(self, words: list[str]) -> None:
        started = time.monotonic()
        go = going.parse(words)
        for note in go.notes:
            self.tell(note)
        self._end()
        if go.perft is not None:
            self._count(go.perft)
            return
        self._work = work = self._thinking(go, started)
        work.start()

    def _stop(self, words: list[str]) -> None:
        """What was found is told before the next line is obeyed, so that nobody takes it for another search's."""
        if self._work is not None:
            self._work.stop()
            self._work.join(LEAVING)

    def _ponderhit(self, words: list[str]) -> None:
        hit = getattr(self._work, "ponderhit", None)
        if hit is not None:
            hit()

    def _debug(self, words: list[str]) -> None:
        self._is_debugging = words[:1] != ["off"]

    def _register(self, words: list[str]) -> None:
        """Nothing has to be registered."""

    def _show(self, words: list[str]) -> None:
        from tengen.protocols.uci.showing import board

        self.tell_all(board(self.position.state))

    def _eval(self, words: list[str]) -> None:
        from tengen.protocols.uci.showing import evaluation

        self.tell_all(evaluation(self.position.state))

    def _perft(self, words: list[str]) -> None:
        self._go(["perft", *words])

    def _bench(self, words: list[str]) -> None:
        from tengen.protocols.uci.benchmark import DEPTH, bench
        from tengen.protocols.uci.work import Work

        self._end()
        depth = int(words[0]) if words and words[0].isascii() and words[0].isdigit() and len(words[0]) < 4 else DEPTH
        config = self.engine.player.config
        self._run(Work(lambda work: bench(config, depth, self.write, work.token), self.write, is_bounded=True))

    # -- inside -------------------------------------------------------------------------------------------

    @property
    def _is_busy(self) -> bool:
        return self._work is not None and self._work.is_running

    def _end(self) -> None:
        """Stop what runs and wait until it has told its end."""
        if self._work is not None:
            self._work.stop()
            self._work.join()
            self._work = None

    def _finish(self, timeout: float | None) -> None:
        """Wait for what ends by itself."""
        if self._work is not None and self._work.is_bounded:
            self._work.join(timeout)

    def _run(self, work: Work) -> None:
        self._work = work
        work.release()
        work.start()

    def _count(self, depth: int) -> None:
        from tengen.protocols.uci.counting import perft
        from tengen.protocols.uci.work import Work

        state = self.position.state
        self._run(Work(lambda work: perft(state, depth, self.write, work.token), self.write, is_bounded=True))

    def _thinking(self, go: going.Go, started: float) -> Thinking:
        """The search that a `go` asks for."""
        from tengen.protocols.uci import timing
        from tengen.protocols.uci.report import View
        from tengen.protocols.uci.thinking import Task, Thinking

        settings, position = self.settings, self.position
        player = self.engine.sync(position)
        state = position.state
        if self._lags is None:
            self._lags = timing.Lags(player.clock.overhead)
        lines = settings.number("multipv")
        limits = player.level.limits
        tables = self._opened_tables()
        clock = timing.remaining(go, state.to_move)
        if clock is not None and not go.is_ponder:
            self._lags.told(position.start, len(position.moves), clock)
        task = Task(
            go, player, state, replace(limits, lines=max(lines, limits.lines)), self._searchmoves(go.moves),
            View(state, player.history.seen("threefold"), lines, settings.check("uci_showwdl")),
            settings.number("move overhead") / 1000, started, self._book_move, tables.verdict, self.tell,
            self.engine.notices.once, self.write, self.session.complain, self._lags, self._is_debugging,
        )  # fmt: skip
        return Thinking(task)

    def _searchmoves(self, words: tuple[str, ...]) -> list[int]:
        """The legal ones; the others are told."""
        moves = {word: self.position.move(word) for word in words}
        illegal = [word for word, move in moves.items() if move is None]
        if illegal:
            self.tell(f"searchmoves: {' '.join(illegal[:20])} illegal here, ignored")
        return [move for move in moves.values() if move is not None]

    def _opened_tables(self) -> Tables:
        """Book and endgame tables as the options name them."""
        if self._tables is None:
            from tengen.protocols.uci.tables import Tables

            self._tables = Tables(self.tell, self._config.seed)
        self._tables.use(self.settings.text("book file"), self.settings.text("syzygypath"))
        return self._tables

    def _book_move(self, state: ChessState) -> int | None:
        if not self.settings.check("ownbook") or self.settings.check("uci_analysemode"):
            return None
        return self._opened_tables().book_move(state)


Command = Callable[[Uci, list[str]], None]
COMMANDS: dict[str, Command] = {
    "uci": Uci._uci,
    "isready": Uci._isready,
    "setoption": Uci._setoption,
    "ucinewgame": Uci._ucinewgame,
    "position": Uci._set_position,
    "go": Uci._go,
    "stop": Uci._stop,
    "ponderhit": Uci._ponderhit,
    "debug": Uci._debug,
    "register": Uci._register,
    "d": Uci._show,
    "eval": Uci._eval,
    "perft": Uci._perft,
    "bench": Uci._bench,
}
ALONE = ("go", "quit", "bench", "perft", "d")
"""Commands that have to begin their line."""
AT_ONCE = ("stop", "ponderhit", "isready", "quit")
"""Commands of a script that do not wait for a search that ends by itself."""


def _verb(words: list[str]) -> tuple[str | None, int]:
    """The command of a line, and which word it is."""
    for at, word in enumerate(words[:MOST_UNKNOWN]):
        if (word in COMMANDS or word == "quit") and (at == 0 or word not in ALONE):
            return word, at
    return None, 0


MOST_UNKNOWN = 16
"""Words before a command that are passed over."""
