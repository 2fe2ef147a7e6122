"""The line loop that every protocol shares: one conversation over stdin and stdout.

A thread reads all the time (`lines`); the calling thread hands one line after the other to the protocol's
handler; output leaves whole and at once (`output`). The policy for errors is here as well: an exception that
no handler expected becomes an error reply and a traceback on stderr, and the conversation goes on. It ends
with the handler's word, at the end of input, or when nobody reads the output any more.

Not here: what a line means.
"""

from __future__ import annotations

import os
import signal
import stat
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from io import FileIO
from typing import TYPE_CHECKING, Protocol, TextIO

from tengen.engine.play.alarm import set_alarm
from tengen.engine.sentence import printable
from tengen.protocols.interrupter import Interrupter
from tengen.protocols.lines import ByteSource, Line, LineQueue, pump
from tengen.protocols.log import Log
from tengen.protocols.output import ByteSink, Output, OutputClosed, claim_stdout

if TYPE_CHECKING:
    from tengen.engine._core import StopToken

GRACE = 0.5
"""Seconds a search may go on after "quit" or the end of input: the process is gone within one second."""
TOGETHER = 0.005
"""Seconds that a text waits for those that leave with it: to wake its reader for each costs more than to send all."""
SWITCH_INTERVAL = 0.001
"""Python's thread switch interval: a line is noticed within about a millisecond of Python work."""


def failure(error: Exception) -> str:
    """What an error reply says of an exception that nobody expected."""
    if isinstance(error, MemoryError):
        return "out of memory: start with a smaller --memory, or allow the process more"
    return f"internal error: {type(error).__name__}"


class Handler(Protocol):
    """What a protocol adds to the loop. All but `arrived` run in the thread that called `Session.run`."""

    def open(self, session: Session) -> None:
        """The conversation begins; keep `session` for writing."""

    def arrived(self, line: Line) -> None:
        """A line has been read and will be handled later. Runs in the reader thread: never wait here."""

    def handle(self, line: Line) -> bool:
        """Act on one line, answer it; False ends the conversation."""

    def failed(self, line: Line, error: Exception) -> None:
        """`handle` raised `error`, which nobody expected: answer with an error reply."""

    def close(self) -> None:
        """The conversation is over: stop whatever still runs."""


class Session:
    """One conversation."""

    def __init__(self, handler: Handler, *, log: Log | None = None) -> None:
        self._handler = handler
        self._log = self._first_log = log
        self._log_lock = threading.Lock()
        self._queue = LineQueue()
        self._interrupter = Interrupter()
        self._line = Line(0, b"")
        self._is_file = False
        self._output: Output | None = None
        self._stderr: TextIO = sys.stderr

    # -- for handlers -------------------------------------------------------------------------------------

    def write(self, text: str) -> None:
        """Send `text` whole, from any thread. Raises OutputClosed when the reader is gone, which ends the session."""
        assert self._output is not None
        try:
            self._output.write(text)
        except OutputClosed:
            self._lose_reader()
            raise
        self._note("<", text)

    @contextmanager
    def together(self) -> Iterator[None]:
        """What is written inside leaves in one piece; but nothing waits for longer than TOGETHER, and what is written
        after that leaves at once. Raises as `write`."""
        assert self._output is not None
        self._output.hold()
        alarm = set_alarm(self._release_late, TOGETHER)
        try:
            yield
        finally:
            alarm.clear()
            self._release()

    def complain(self, sentence: str) -> None:
        """One line on stderr, where GUIs show it to the user."""
        try:
            print(sentence, file=self._stderr, flush=True)
        except (OSError, ValueError):
            pass

    @property
    def is_script(self) -> bool:
        """Whether the input is a file: then nobody waits, and everything may take its time."""
        return self._is_file

    def searching(self, *, cancellable: bool = False, least: float = 0.0) -> AbstractContextManager[StopToken]:
        """Around every search that blocks, which the token ends: see `Interrupter.search`.

        cancellable: any further line ends it. least: seconds that it has in any case.
        """
        return self._interrupter.search(self._line.number, cancellable=cancellable, least=least)

    def interrupt(self, line: Line) -> None:
        """End the searches that lines before `line` asked for, running or still waiting."""
        self._interrupter.end_up_to(line.number)

    def log_to(self, log: Log | None) -> None:
        """Copy the conversation to another log from here on; None: to the one that it began with."""
        with self._log_lock:
            self._log = log or self._first_log

    def hasten(self, seconds: float) -> None:
        """The other side wants to leave: end searches from `seconds` on. A script in a file may take its time."""
        if not self._is_file:
            self._interrupter.end_after(seconds)

    # -- the loop -----------------------------------------------------------------------------------------

    def run(self, stdin: ByteSource, stdout: ByteSink, stderr: TextIO) -> int:
        """Converse until the end and return the exit status. The streams stay open; no signal is touched."""
        self._output, self._stderr = Output(stdout), stderr
        self._is_file = _is_regular_file(stdin)
        self._handler.open(self)
        threading.Thread(target=pump, args=(stdin, self._queue, self._arrived), name="reader", daemon=True).start()
        try:
            while (line := self._queue.take()) is not None:
                if not self._handle(line):
                    break
        except OutputClosed:
            pass
        finally:
            self._close()
        return 0

    def _release(self) -> None:
        assert self._output is not None
        try:
            self._output.release()
        except OutputClosed:
            self._lose_reader()
            raise

    def _release_late(self) -> None:
        """In a thread that is not told when nobody reads any more."""
        with suppress(OutputClosed):
            self._release()

    def _lose_reader(self) -> None:
        self._interrupter.end_after(0)
        self._queue.close(abort=True)

    def _arrived(self, line: Line | None) -> None:
        """Reader thread. Whatever goes wrong here, reading goes on."""
        if line is None:
            self.hasten(GRACE)
            return
        self._interrupter.line_arrived(line.number)
        if self._log is not None:
            self._note(">", line.data.decode("utf-8", "replace"))
        try:
            self._handler.arrived(line)
        except Exception:
            self._report()

    def _handle(self, line: Line) -> bool:
        self._line = line
        try:
            return self._handler.handle(line)
        except OutputClosed:
            raise
        except Exception as error:
            if isinstance(error, MemoryError):
                self.complain(failure(error))
            else:
                self._report()
            self._handler.failed(line, error)
            return True

    def _close(self) -> None:
        try:
            self._handler.close()
        except OutputClosed:
            pass
        except Exception:
            self._report()

    def _report(self) -> None:
        import traceback

        self.complain(traceback.format_exc().rstrip())

    def _note(self, mark: str, text: str) -> None:
        """Copy to the log; one that cannot be written is given up with a sentence, and the conversation goes on."""
        log = self._log
        if log is None:
            return
        try:
            log.note(mark, text)
        except OSError as error:
            with self._log_lock:
                if self._log is log:
                    self.complain(f"the log cannot be written and ends here: {error.strerror}")
                    self._log = None


def run_front_end(name: str, log_path: str | None, make: Callable[[], Handler]) -> int:
    """`run_process` of the handler with a log beside it; 2 with one sentence on stderr when it cannot be written."""
    if not log_path:
        return run_process(make())
    try:
        log = Log(log_path)
    except OSError as error:
        print(printable(f"tengen {name}: cannot write the log '{log_path}': {error.strerror}"), file=sys.stderr)
        return 2
    with log:
        return run_process(make(), log=log)


def run_process(handler: Handler, *, log: Log | None = None) -> int:
    """Converse over this process's stdin and stdout; return the exit status.

    Ctrl-C ends the process at once, without a traceback. Only protocol text reaches stdout.
    """
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    sys.setswitchinterval(SWITCH_INTERVAL)
    output = claim_stdout()
    with _stdin() as stdin, open(output, "wb", buffering=0) as stdout:
        return Session(handler, log=log).run(stdin, stdout, sys.stderr)


def _stdin() -> FileIO:
    """Descriptor 0, unbuffered: a buffered stream's lock, held by the reader thread, would break the exit."""
    try:
        return FileIO(0, "rb", closefd=False)
    except OSError:  # started without stdin
        return FileIO(os.devnull, "rb")


def _is_regular_file(stream: object) -> bool:
    try:
        return stat.S_ISREG(os.fstat(stream.fileno()).st_mode)  # type: ignore[attr-defined]
    except (AttributeError, OSError, ValueError):
        return False
