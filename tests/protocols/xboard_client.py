"""Talking XBoard's protocol in tests: to a session in this process, or to the real process."""

from __future__ import annotations

import io
import tempfile
from pathlib import Path

import gtp_client
from busy_machine import without_remarks

from tengen.engine.config import Config
from tengen.protocols.session import Session
from tengen.protocols.xboard import SMALL_MEMORY, XBoard

CONFIG = Config(game="chess", memory=SMALL_MEMORY, threads=1, seed=1)


def converse(*lines: str | bytes, config: Config | None = None, handler: XBoard | None = None) -> tuple[list[str], str]:
    """Send all lines to a new session, as from a script: what ends by itself is waited for. Returns the lines it
    answers, and what came on stderr."""
    out, err = io.BytesIO(), io.StringIO()
    with tempfile.TemporaryFile(buffering=0) as script:
        script.write(b"".join((line.encode() if isinstance(line, str) else line) + b"\n" for line in lines))
        script.seek(0)
        assert Session(handler or XBoard(config or CONFIG)).run(script, out, err) == 0
    return out.getvalue().decode().splitlines(), without_remarks(err.getvalue())


def say(*lines: str | bytes, config: Config | None = None) -> list[str]:
    """`converse`: the lines it answers. Nothing may come on stderr."""
    answers, said = converse(*lines, config=config)
    assert not said, said
    return answers


def fen_after(*lines: str) -> str:
    """The position after the lines."""
    from tengen.engine.games.chess.text import fen_of

    handler = XBoard(CONFIG)
    converse(*lines, handler=handler)
    return fen_of(handler.position.state)


def moves(answers: list[str]) -> list[str]:
    """The moves that the engine made."""
    return [line.split()[1] for line in answers if line.startswith("move ")]


class Process(gtp_client.Process):
    """`tengen xboard` itself, after `protover 2` and `new`."""

    front_end = "xboard"

    def __init__(self, *options: str, cwd: Path | None = None) -> None:
        super().__init__("--seed", "1", *options, cwd=cwd)
        self.send("xboard\nprotover 2\nnew\nping 0")
        self.until("pong 0")

    def until(self, start: str, timeout: float = 20) -> list[str]:
        """The lines up to the first that begins with `start`."""
        got = [self.line(timeout)]
        while not got[-1].startswith(start):
            assert got[-1] != "EOF", got
            got.append(self.line(timeout))
        return got
