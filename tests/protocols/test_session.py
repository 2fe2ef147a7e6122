"""The line loop: cutting lines, bounded memory, ends of a conversation, interrupts, errors. No GTP, no engine."""

from __future__ import annotations

import io
import os
import random
import threading
import time

import pytest
from fakes.stopping import wait

from tengen.protocols import session
from tengen.protocols.interrupter import Interrupter
from tengen.protocols.lines import Line, LineQueue, LineSplitter
from tengen.protocols.output import Output, OutputClosed
from tengen.protocols.session import Session


class Echo:
    """A handler that echoes; "fail" raises, "end" ends, "search" runs until it is stopped or `enough` is set."""

    def __init__(self) -> None:
        self.closed, self.enough = False, threading.Event()

    def open(self, session: Session) -> None:
        self.session = session

    def arrived(self, line: Line) -> None:
        if line.data == b"stop":
            self.session.interrupt(line)
        if line.data == b"bad arrival":
            raise ZeroDivisionError

    def handle(self, line: Line) -> bool:
        if line.data == b"fail":
            raise KeyError("x")
        if line.data == b"search":
            with self.session.searching() as stop:
                end = time.monotonic() + 5
                while not stop.is_stopped and not self.enough.is_set() and time.monotonic() < end:
                    time.sleep(0.001)
                self.session.write(f"interrupted {stop.is_stopped}\n")
        else:
            self.session.write(f"{line.number} {line.data!r}\n")
        return line.data != b"end"

    def failed(self, line: Line, error: Exception) -> None:
        self.session.write(f"error {error!r}\n")

    def close(self) -> None:
        self.closed = True


def converse(data: bytes) -> tuple[list[str], str]:
    handler, out, err = Echo(), io.BytesIO(), io.StringIO()
    assert Session(handler).run(io.BytesIO(data), out, err) == 0
    assert handler.closed
    return out.getvalue().decode().splitlines(), err.getvalue()


def test_lines_are_numbered_and_the_last_needs_no_newline() -> None:
    assert converse(b"a\n\nb")[0] == ["1 b'a'", "2 b''", "3 b'b'"]


def test_the_handler_ends_the_session() -> None:
    assert converse(b"end\nlost\n")[0] == ["1 b'end'"]


def test_an_unexpected_error_is_answered_and_the_session_lives() -> None:
    out, err = converse(b"fail\nbad arrival\nafter\n")
    assert out == ["error KeyError('x')", "2 b'bad arrival'", "3 b'after'"]
    assert "KeyError" in err and "ZeroDivisionError" in err


@pytest.mark.parametrize("data", [b"search\nstop\nend\n", b"search\nx\nstop\nsearch\nstop\n"])
def test_an_interrupt_reaches_searches_that_have_not_begun(data: bytes) -> None:
    start = time.monotonic()
    out, _ = converse(data)
    assert "interrupted True" in out and time.monotonic() - start < 2


def test_a_search_goes_on_for_a_while_after_the_end_of_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session, "AFTERWARDS", 0.5)
    start = time.monotonic()
    assert converse(b"search\n")[0] == ["interrupted True"]
    assert 0.3 < time.monotonic() - start < 5


def test_a_script_from_a_file_is_not_hastened(tmp_path) -> None:
    script = tmp_path / "script"
    script.write_bytes(b"search\n")
    handler, out = Echo(), io.BytesIO()
    threading.Timer(0.8, handler.enough.set).start()
    start = time.monotonic()
    with open(script, "rb", buffering=0) as stdin:
        Session(handler).run(stdin, out, io.StringIO())
    assert time.monotonic() - start > 0.75


def test_nobody_reads_the_output() -> None:
    read, write = os.pipe()
    os.close(read)
    handler = Echo()
    with open(write, "wb", buffering=0) as stdout:
        assert Session(handler).run(io.BytesIO(b"a\nb\n"), stdout, io.StringIO()) == 0
    assert handler.closed


def test_a_search_ends_when_nobody_is_left_to_read_its_answer() -> None:
    """Who closes both pipes is gone; who closes the input alone waits for the answer."""
    (read_in, write_in), (read_out, write_out) = os.pipe(), os.pipe()
    handler = Echo()
    with open(read_in, "rb", buffering=0) as stdin, open(write_out, "wb", buffering=0) as stdout:
        talk = threading.Thread(target=Session(handler).run, args=(stdin, stdout, io.StringIO()))
        talk.start()
        os.write(write_in, b"search\n")
        os.close(write_in)
        talk.join(0.8)
        assert talk.is_alive() and handler.session.has_ended and handler.session.patience > 20
        os.close(read_out)
        talk.join(1)
        assert not talk.is_alive() and handler.session.is_deserted and handler.session.patience == 0


def test_the_splitter_equals_split_for_any_chunks() -> None:
    rng = random.Random(1)
    for _ in range(200):
        data = bytes(rng.choice(b"ab\n\r\0\xff") for _ in range(rng.randrange(60)))
        splitter, lines, rest = LineSplitter(), [], data
        while rest:
            cut = rng.randrange(1, 9)
            lines += splitter.feed(rest[:cut])
            rest = rest[cut:]
        lines += splitter.finish()
        expected = data.split(b"\n")
        assert [line.data for line in lines] == expected[: len(expected) - (expected[-1] == b"")]
        assert [line.number for line in lines] == list(range(1, len(lines) + 1))


def test_a_huge_line_is_cut_and_the_next_is_whole() -> None:
    splitter = LineSplitter(limit=1000)
    lines = []
    for _ in range(10_000):
        lines += splitter.feed(b"x" * 1000)
    lines += splitter.feed(b"\nnext\n")
    assert [(len(line.data), line.overlong) for line in lines] == [(1000, True), (4, False)]


def test_a_full_queue_makes_the_reader_wait_and_loses_nothing() -> None:
    queue, got = LineQueue(limit=1000), []

    def fill() -> None:
        for number in range(1, 501):
            queue.put(Line(number, b"0123456789"))
        queue.close()

    threading.Thread(target=fill, daemon=True).start()
    while (line := queue.take()) is not None:
        got.append(line.number)
    assert got == list(range(1, 501))


def test_an_aborted_queue_frees_a_waiting_reader() -> None:
    queue = LineQueue(limit=10)
    reader = threading.Thread(target=lambda: [queue.put(Line(n, b"x" * 100)) for n in range(5)], daemon=True)
    reader.start()
    time.sleep(0.05)
    queue.close(abort=True)
    reader.join(2)
    assert not reader.is_alive() and queue.take() is None


def test_output_is_whole_also_through_a_slow_sink() -> None:
    class Slow(io.RawIOBase):
        data = b""

        def write(self, part) -> int:
            self.data += bytes(part[:3])
            return min(3, len(part))

    sink = Slow()
    output = Output(sink)
    writers = [
        threading.Thread(target=lambda n=n: [output.write(f"{n}" * 20 + "\n") for _ in range(20)]) for n in range(4)
    ]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    assert sorted(set(sink.data.decode().split())) == ["0" * 20, "1" * 20, "2" * 20, "3" * 20]


def test_output_stays_closed() -> None:
    class Broken(io.RawIOBase):
        def write(self, part) -> int:
            raise BrokenPipeError

    output = Output(Broken())
    for _ in range(2):
        with pytest.raises(OutputClosed):
            output.write("x")


class Pieces(io.RawIOBase):
    """What was written, piece by piece."""

    def __init__(self) -> None:
        self.got: list[bytes] = []

    def write(self, data) -> int:
        self.got.append(bytes(data))
        return len(data)


class Saying(Echo):
    """A handler that says two words, so many seconds apart, and where `fails` breaks."""

    def __init__(self, seconds: float = 0.0, fails: bool = False) -> None:
        super().__init__()
        self.seconds, self.fails = seconds, fails

    def handle(self, line: Line) -> bool:
        with self.session.together():
            self.session.write("one\n")
            time.sleep(self.seconds)
            self.session.write("two\n")
            if self.fails:
                raise KeyError("x")
        self.session.write("three\n")
        return True


def say(handler: Saying) -> list[bytes]:
    out = Pieces()
    assert Session(handler).run(io.BytesIO(b"a\n"), out, io.StringIO()) == 0
    return out.got


def test_what_is_said_together_leaves_in_one_piece() -> None:
    assert b"".join(say(Saying())) == b"one\ntwo\nthree\n" and len(say(Saying())) <= 3
    assert say(Saying(seconds=0.1)) == [b"one\n", b"two\n", b"three\n"]
    assert b"".join(say(Saying(fails=True))) == b"one\ntwo\nerror KeyError('x')\n"


@pytest.mark.timing
def test_what_is_said_soon_leaves_in_one_piece() -> None:
    assert say(Saying()) == [b"one\ntwo\n", b"three\n"]


@pytest.mark.parametrize("seconds", [0.0, 0.1])
def test_nobody_reads_what_is_said_together(seconds: float) -> None:
    read, write = os.pipe()
    os.close(read)
    handler = Saying(seconds)
    with open(write, "wb", buffering=0) as stdout:
        assert Session(handler).run(io.BytesIO(b"a\na\n"), stdout, io.StringIO()) == 0
    assert handler.closed


def test_a_search_has_a_token_of_its_own() -> None:
    """What comes second ends it, the wish or the search; a search asked for later is not meant, nor one that is over."""
    interrupter = Interrupter()
    with interrupter.search(1) as first:
        assert not first.is_stopped
    interrupter.end_up_to(2)
    with interrupter.search(2) as second, interrupter.search(3) as third:
        assert second.is_stopped
    interrupter.end_after(0)
    with interrupter.search(4) as fourth:
        assert fourth.is_stopped
    assert not first.is_stopped and not third.is_stopped


def test_a_search_has_its_least_time() -> None:
    interrupter, began = Interrupter(), time.monotonic()
    interrupter.end_up_to(1)
    with interrupter.search(1, least=0.1) as stop:
        assert wait(stop, 3) and 0.09 < time.monotonic() - began < 3


def test_all_searches_end_when_the_time_is_over() -> None:
    interrupter, began = Interrupter(), time.monotonic()
    for seconds in (20.0, 0.1, 5.0):  # the first of them counts
        interrupter.end_after(seconds)
    for line in (1, 2, 3):
        with interrupter.search(line) as stop:
            assert wait(stop, 3) and 0.09 < time.monotonic() - began < 3


def test_a_cancellable_search_ends_with_the_next_line() -> None:
    interrupter = Interrupter()
    with interrupter.search(3, cancellable=True) as stop:
        interrupter.line_arrived(3)
        assert not wait(stop, 0.05)
        interrupter.line_arrived(4)
        assert stop.is_stopped
