"""Talking Gomocup in tests: to a session in this process, or to the real process."""

from __future__ import annotations

import io
import threading
import time

import gtp_client
from busy_machine import without_remarks
from fakes.stopping import wait
from gtp_client import InThread

from tengen.engine.config import Config
from tengen.engine.games.base import IllegalMove
from tengen.engine.play.player import Player
from tengen.protocols.gomocup import Gomocup
from tengen.protocols.session import Session

QUICK = Config(game="gomoku", player="random", time=0.01, seed=1, threads=1, memory=80)


class SlowPlayer(Player):
    """Thinks until it is stopped, or for `patience` seconds, and then plays the first legal point.

    asked: the arguments of every genmove, with the seconds that the clock would have given. fail: raised once.
    """

    patience = 5.0

    def __init__(self, config: Config) -> None:
        super().__init__(config)
        self.asked, self.fail, self.closed = [], None, False
        self.thinking = threading.Event()

    def genmove(self, request):
        colour, started = request.colour, request.started or time.monotonic()
        budget = self.clock[colour].budget(self.hooks.moves_left(self.state, len(self.moves)))
        self.asked.append({"colour": colour, "budget": budget, "late": time.monotonic() - started})
        if self.fail is not None:
            error, self.fail = self.fail, None
            raise error
        self.thinking.set()
        wait(request.stop, self.patience)
        self.thinking.clear()
        return super().genmove(request)

    def close(self):
        self.closed = True
        super().close()


def say(*lines: str | bytes, config: Config = QUICK, make=Player, **options: float) -> list[str]:
    """Send all lines at once to a new session and return the lines of its output."""
    data = b"".join((line.encode() if isinstance(line, str) else line) + b"\n" for line in lines)
    out, err = io.BytesIO(), io.StringIO()
    assert Session(Gomocup(config, make, **options)).run(io.BytesIO(data), out, err) == 0
    say.stderr = without_remarks(err.getvalue())
    text = out.getvalue().decode()
    assert "\r" not in text and (not text or text.endswith("\n"))
    return text.splitlines()


def is_move(line: str, width: int = 15, height: int | None = None) -> bool:
    """Whether a line is a move as c-gomoku-cli reads it: digits,digits, inside the board."""
    x, comma, y = line.partition(",")
    return bool(comma) and x.isdecimal() and y.isdecimal() and int(x) < width and int(y) < (height or width)


class InProcess(InThread):
    """A session with a slow player."""

    def __init__(self, config: Config = QUICK, make=SlowPlayer, **options: float) -> None:
        self.player = None

        def made(config):
            self.player = make(config)
            return self.player

        super().__init__(Session(Gomocup(config, made, **options)).run)

    def begin(self, *lines: str) -> None:
        """START and other lines, and the player is thinking."""
        self.send("\n".join(("START 15", *lines, "BEGIN")))
        assert self.line() == "OK"
        assert self.player.thinking.wait(5)


class Process(gtp_client.Process):
    """`tengen gomocup` itself."""

    front_end = "gomocup"

    def move(self, timeout: float = 10) -> str:
        """The next line that is no MESSAGE."""
        while (line := self.line(timeout)).startswith("MESSAGE"):
            pass
        return line


__all__ = ["QUICK", "IllegalMove", "InProcess", "Process", "SlowPlayer", "is_move", "say"]
