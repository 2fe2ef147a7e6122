"""The line loop that every protocol shares: one conversation over stdin and stdout.

A thread reads all the time (`lines`); the calling thread hands one line after the other to the protocol's
handler; output leaves whole and at once (`output`). The policy for errors is here as well: an exception that
no handler expected becomes an error reply and a traceback on stderr, and the conversation goes on. It ends
with the handler's word, after the end of input, or when nobody reads the output any more. What was sent before the
end of input is done first, as long as it ends by itself within AFTERWARDS.

Not here: what a line means.
"""

from __future__ import annotations

import math
import os
import signal
import stat
import sys
import threading
import time
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

GRACE = 0.25
"""Seconds a search may go on after "quit": the process is gone within one second."""
AFTERWARDS = 28.0
"""Seconds that searches with a bound have after the end of input: the process is gone within half a minute."""
LOOK_SECONDS = 0.1
"""The seconds between two looks at whether the session has ended."""
TOGETHER = 0.005
"""Seconds that a text waits for those that leave with it: to wake its reader for each costs more than to send all."""
SWITCH_INTERVAL = 0.001
"""Python's thread switch interval: a line is noticed within about a millisecond of Python work."""


def failure(error: Exception) -> str:
    """Return the text of an error reply for an unexpected exception."""
    if isinstance(error, MemoryError):
        return "out of memory: start with a smaller --memory, or allow the process more"
    return f"internal error: {type(error).__name__}"


class Handler(Protocol):
    """The methods that a protocol adds to the loop. All but `arrived` run in the thread that called `Session.run`."""

    def open(self, session: Session) -> None:
        """The conversation begins; keep `session` for writing."""

    def arrived(self, line: Line) -> None:
        """A line has been read and will be handled later. Runs in the reader thread: never wait here."""

    def handle(self, line: Line) -> bool:
        """Act on one line, answer it; False ends the conversation."""

    def failed(self, line: Line, error: Exception) -> None:
        """Answer with an error reply: `handle` raised `error`, which was not expected."""

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
        self._is_file = self._has_ended = self._is_deserted = self._is_over = False
        self._due = math.inf
        self._warned: set[str] = set()
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
        """Collect the output written inside and send it in one piece. After TOGETHER seconds, further output is sent at
        once. Raises as `write`."""
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

    def warn(self, sentence: str) -> None:
        """Write one line on stderr, each sentence once in a conversation; ignore an empty one."""
        if sentence and sentence not in self._warned:
            self._warned.add(sentence)
            self.complain(f"tengen: {sentence}")

    @property
    def is_script(self) -> bool:
        """Whether the input is a file: then no one waits, and everything may take its time."""
        return self._is_file

    @property
    def has_ended(self) -> bool:
        """Whether the end of input was read: the sender waits for answers alone."""
        return self._has_ended

    @property
    def is_deserted(self) -> bool:
        """Whether the reader of the output is gone, as far as that is known."""
        return self._is_deserted

    @property
    def patience(self) -> float:
        """Seconds that what ends by itself may still take: without end until the input ends, or the other side wants to
        leave, and in a script; 0 when nobody reads the output any more."""
        return max(0.0, self._due - time.monotonic())

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
            self._end_after(seconds)

    # -- the loop -----------------------------------------------------------------------------------------

    def run(self, stdin: ByteSource, stdout: ByteSink, stderr: TextIO) -> int:
        """Converse until the end and return the exit status. The streams stay open; no signal is touched."""
        self._output, self._stderr = Output(stdout), stderr
        self._is_file = _is_regular_file(stdin)
        self._handler.open(self)
        threading.Thread(target=self._read, args=(stdin, self._output), name="reader", daemon=True).start()
        try:
            while (line := self._queue.take()) is not None:
                if not self._handle(line):
                    break
        except OutputClosed:
            pass
        finally:
            self._close()
            self._is_over = True
        return 0

    def _read(self, stdin: ByteSource, output: Output) -> None:
        """The reader thread. After the end of input nobody may be left to answer: that ends what still runs."""
        pump(stdin, self._queue, self._arrived)
        with suppress(OSError, ValueError, AttributeError):  # no pipe, or a system that does not tell
            while not self._is_over:
                if output.is_deserted(LOOK_SECONDS):
                    return self._lose_reader()

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
        self._is_deserted = True
        self._end_after(0)
        self._queue.close(abort=True)

    def _end_after(self, seconds: float) -> None:
        self._due = min(self._due, time.monotonic() + seconds)
        self._interrupter.end_after(seconds)

    def _arrived(self, line: Line | None) -> None:
        """Reader thread. Whatever goes wrong here, reading goes on."""
        if line is None:
            self._has_ended = True
            self.hasten(AFTERWARDS)
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
