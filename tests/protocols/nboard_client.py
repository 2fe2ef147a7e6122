"""Talking NBoard in tests: to a session in this process, or to the real process."""

from __future__ import annotations

import io
import tempfile

import gtp_client
from busy_machine import without_remarks

from tengen.engine.config import Config
from tengen.engine.play.player import Player
from tengen.protocols.nboard import NBoard
from tengen.protocols.session import Session

START = "---------------------------O*------*O---------------------------"


def ggf(moves: str = "", board: str = f"8 {START} *", time: str = "15:00", tags: str = "") -> str:
    """A `set game` line as NBoard sends it; moves as "F5 F6//0.5 ..." from Black on."""
    played = "".join(f"{'BW'[number % 2]}[{move}]" for number, move in enumerate(moves.split()))
    return f"set game (;GM[Othello]PC[NBoard]DT[now]PB[x]PW[y]RE[?]TI[{time}]{tags}TY[8]BO[{board}]{played};)"


def say(
    *lines: str | bytes, config: Config | None = None, player: Player | None = None, errors: bool = False
) -> list[str]:
    """`converse`: the lines it answers. Nothing may come on stderr, unless `errors`: then a traceback must."""
    answers, said = converse(*lines, config=config, player=player)
    assert ("Traceback" in said) if errors else not said
    return answers


def converse(*lines: str | bytes, config: Config | None = None, player: Player | None = None) -> tuple[list[str], str]:
    """Send all lines to a new session, as from a script: nothing is cut short. Returns the lines it answers, and what
    came on stderr."""
    config = config or Config(game="reversi", memory=80, threads=1, seed=1, playouts=40)
    player = player or Player(config, is_lenient=True)
    out, err = io.BytesIO(), io.StringIO()
    with tempfile.TemporaryFile(buffering=0) as script:
        script.write(b"".join((line.encode() if isinstance(line, str) else line) + b"\n" for line in lines))
        script.seek(0)
        assert Session(NBoard(config, lambda _: player)).run(script, out, err) == 0
    return out.getvalue().decode().splitlines(), without_remarks(err.getvalue())


class Process(gtp_client.Process):
    """`tengen nboard` itself."""

    front_end = "nboard"

    def until(self, start: str, timeout: float = 20) -> list[str]:
        """The lines up to the first that begins with `start`."""
        got = [self.line(timeout)]
        while not got[-1].startswith(start):
            assert got[-1] != "EOF", got
            got.append(self.line(timeout))
        return got
