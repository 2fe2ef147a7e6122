"""One UCI conversation: takes lines, finds the command, keeps what belongs to the conversation.

Every line is obeyed at once: searches run beside it (`background.py`), so that `isready` never waits for one. Unknown
words before a command are passed over, as UCI wants it; but `go` and `quit` have to begin their line, since a move that
nobody asked for would be taken for another search's. What cannot be obeyed is told in an `info string`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tengen.engine.sentence import excerpt, printable
from tengen.protocols.chess.conversation import Conversation
from tengen.protocols.lines import Line
from tengen.protocols.session import GRACE, failure
from tengen.protocols.uci.registry import AT_ONCE, COMMANDS, verb_of

if TYPE_CHECKING:
    from tengen.engine.config import Config
    from tengen.protocols.chess.background import Work
    from tengen.protocols.uci.position import Position


class Uci(Conversation):
    """The handler of a UCI session (see `session.Handler`)."""

    def __init__(self, config: Config) -> None:
        super().__init__(config)
        self.is_debugging = False
        self._position: Position | None = None

    # -- for commands -------------------------------------------------------------------------------------

    def tell(self, sentence: str) -> None:
        """A sentence for the user."""
        self.write(f"info string {printable(sentence, 400)}\n")

    def tell_all(self, text: str) -> None:
        """Lines for the user."""
        self.session.write("".join(f"info string {line}\n" for line in text.splitlines()))

    @property
    def position(self) -> Position:
        """The position of the GUI, made on first use."""
        if self._position is None:
            from tengen.protocols.uci.position import Position

            self._position = Position()
        return self._position

    def begin(self, work: Work, *, tells: bool = False) -> None:
        """Have it run beside the conversation. tells: its end is told without being asked for."""
        self.work = work
        if tells:
            work.release()
        work.start()

    def end(self) -> None:
        """End what runs, and wait until it has told its end."""
        if self.work is not None:
            self.work.stop()
            self.work.join()
            self.work = None

    # -- session.Handler ----------------------------------------------------------------------------------

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
            self.finish()
        COMMANDS[verb](self, words[at + 1 :])
        return True

    def failed(self, line: Line, error: Exception) -> None:
        """A command broke: tell it, and answer a `go` with any move, since the GUI waits for one."""
        self.tell(failure(error))
        if line.data.split()[:1] == [b"go"] and not self.is_busy:
            legal = list(self.position.state.legal_moves())
            self.write(f"bestmove {self.position.text(legal[0]) if legal else '(none)'}\n")
