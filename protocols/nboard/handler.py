"""One NBoard conversation: takes lines, finds the command, keeps what belongs to the conversation.

Lines that are no command are ignored without a word, as the protocol wants it; a command that cannot be obeyed is
answered with a `status` line, which GUIs show. A `ping` ends what runs when it arrives and is answered in its turn;
the same ends a `hint` or `analyze` when the next request or position arrives. The player is made by the first
command that needs it, so that `nboard` and `ping` are answered at once.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, suppress
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from tengen.engine.sentence import printable
from tengen.protocols.lines import Line
from tengen.protocols.nboard import notation, strength
from tengen.protocols.network_news import NetworkNews
from tengen.protocols.output import OutputClosed
from tengen.protocols.session import GRACE, Session, failure

if TYPE_CHECKING:
    from tengen.engine._core import StopToken
    from tengen.engine.config import Config
    from tengen.engine.play.player import Player
    from tengen.protocols.nboard.position import Position

REQUESTS = (b"hint", b"go", b"analyze", b"move", b"set")
"""The commands that end a running hint or analysis (`set` also changes the depth)."""
LONGEST_INTEGER = 18
"""Digits of an integer that is answered."""


class NBoard:
    """The handler of an NBoard session (see `session.Handler`)."""

    session: Session

    def __init__(self, config: Config, make_player: Callable[[Config], Player] | None = None) -> None:
        self._config = config
        self._make_player = make_player
        self._name = "".join((config.name or "Tengen").split()) or "Tengen"
        self._position: Position | None = None
        self._line = Line(0, b"")
        self._news = NetworkNews(lambda sentence: self.session.complain(f"tengen nboard: {sentence}"), at_once=True)
        self._outdatable: Line | None = None
        self._newest = 0

    # -- for commands -------------------------------------------------------------------------------------

    @property
    def position(self) -> Position:
        """The game in progress and its player, made on first use."""
        if self._position is None:
            from tengen.protocols.nboard.position import Position

            if self._make_player is None:
                from tengen.engine.play.player import Player

                self._make_player = partial(Player, is_lenient=True)
            self._position = Position(self._make_player(self._config))
        return self._position

    def send(self, line: str) -> None:
        """Send one line."""
        self.session.write(f"{line}\n")

    def write(self, lines: str) -> None:
        """Send whole lines from a search's thread, which ignores the end of the reader."""
        with suppress(OutputClosed):
            self.session.write(lines)

    def tell_once(self, sentence: str) -> None:
        """A line on stderr that is said once in the conversation."""
        self._news.once(sentence)

    def searching(self) -> AbstractContextManager[StopToken]:
        """Around every search that a ping may end."""
        return self.session.searching()

    # -- session.Handler ----------------------------------------------------------------------------------

    def open(self, session: Session) -> None:
        """Begin."""
        self.session = session

    def arrived(self, line: Line) -> None:
        """Reader thread: what must not wait for a search that runs."""
        verb = line.data[:40].split(None, 1)[:1]
        if verb == [b"quit"]:
            self.session.hasten(GRACE)
        elif self.session.is_script:
            pass
        elif verb == [b"ping"]:
            self.session.interrupt(line)
        elif verb and (verb[0] in REQUESTS or notation.read(line.data[:40].decode("ascii", "replace")) is not None):
            self._newest = line.number
            running = self._outdatable
            if running is not None:
                self.session.interrupt(running)

    def handle(self, line: Line) -> bool:
        """Obey one line; False after `quit`."""
        text = line.data.decode("utf-8", "replace").lstrip("\ufeff").strip()
        verb, _, rest = text.partition(" ")
        if verb == "quit":
            return False
        self._line = line
        command = COMMANDS.get(verb)
        if line.overlong:
            self._refuse(f"{printable(verb, 20)}: the line is too long")
        elif command is not None:
            command(self, rest.strip())
            if self._position is not None:
                self._news.look(self._position.player, begins_game=text.startswith("set game"))
        elif (played := notation.read(text)) is not None:  # version 1 sends moves without a word before them
            self._play(played)
        return True

    def failed(self, line: Line, error: Exception) -> None:
        """A command broke: tell it, and answer a `go` with any move, since the GUI waits for one."""
        self._refuse(failure(error))
        if line.data.split()[:1] == [b"go"]:
            legal = list(self.position.state.legal_moves())
            self.send(f"=== {notation.write(legal[0]) if legal else 'PA'}")

    def close(self) -> None:
        """Let the player go."""
        position, self._position = self._position, None
        if position is not None:
            position.player.close()

    # -- commands -----------------------------------------------------------------------------------------

    def _greet(self, rest: str) -> None:
        """Answer the name; any version is welcome."""
        self.send(f"set myname {self._name}")

    def _set(self, rest: str) -> None:
        """Set the depth, the game or the contempt."""
        what, _, value = rest.partition(" ")
        setter = SETTERS.get(what)
        if setter is not None:
            setter(self, value.strip())

    def _set_depth(self, value: str) -> None:
        depth = _integer(value)
        if depth is None:
            self._refuse("the depth is not a number")
            return
        player = self.position.player
        own = self._config
        if own.playouts is None and own.visits is None and own.level is None:
            if player.looks_ahead:
                self.position.depth = strength.plies(depth)
            else:
                player.configure(replace(player.config, playouts=strength.playouts(depth)))
        self.send(f"set myname {self._name}{depth}")

    def _set_game(self, value: str) -> None:
        try:
            self.position.set_game(value)
        except ValueError as error:
            self._refuse(f"cannot take the game: {error}")
        else:
            self.position.player.prepare()  # before a clock runs

    def _set_contempt(self, value: str) -> None:
        """Accepted; draws are valued as half a win whatever it says."""

    def _move(self, rest: str) -> None:
        """Play a move, with its value and its time if they follow."""
        played = notation.read(rest)
        if played is None:
            self._refuse(f"{printable(rest, 20)!r} is not a move")
        else:
            self._play(played)

    def _play(self, played: notation.Played) -> None:
        try:
            self.position.play(played)
        except ValueError as error:
            self._refuse(f"{notation.write(played.move)} is illegal: {error}")

    def _hint(self, rest: str) -> None:
        """Show the best moves, as many as the number says."""

        from tengen.protocols.nboard import thinking

        with self._may_be_outdated():
            thinking.hint(self, _integer(rest.split(" ")[0]) or 1)

    def _go(self, rest: str) -> None:
        """Think of a move and answer it; it is not played."""

        from tengen.protocols.nboard import thinking

        thinking.go(self)

    def _analyze(self, rest: str) -> None:
        """Answer the value of every position of the game."""

        from tengen.protocols.nboard import thinking

        with self._may_be_outdated():
            thinking.analyze(self)

    def _learn(self, rest: str) -> None:
        """Answer `learned`: there is no book."""
        self.send("learned")

    def _ping(self, rest: str) -> None:
        """End the search that runs and answer `pong` with the number."""
        number = _integer(rest.split(" ")[0])
        if number is not None:
            self.send(f"pong {number}")

    # -- inside -------------------------------------------------------------------------------------------

    def _may_be_outdated(self) -> AbstractContextManager[None]:
        return _Outdatable(self, self._line)

    def _refuse(self, reason: str) -> None:
        self.send(f"status {printable(reason, 200)}")


class _Outdatable:
    """Around a request that the next one ends, also when that one came first."""

    def __init__(self, nboard: NBoard, line: Line) -> None:
        self._nboard, self._line = nboard, line

    def __enter__(self) -> None:
        nboard = self._nboard
        nboard._outdatable = self._line
        if nboard._newest > self._line.number and not nboard.session.has_ended:
            nboard.session.interrupt(self._line)

    def __exit__(self, *error: object) -> None:
        self._nboard._outdatable = None


Command = Callable[[NBoard, str], None]
COMMANDS: dict[str, Command] = {
    "nboard": NBoard._greet,
    "set": NBoard._set,
    "move": NBoard._move,
    "hint": NBoard._hint,
    "go": NBoard._go,
    "ping": NBoard._ping,
    "learn": NBoard._learn,
    "analyze": NBoard._analyze,
}
SETTERS: dict[str, Command] = {
    "depth": NBoard._set_depth,
    "game": NBoard._set_game,
    "contempt": NBoard._set_contempt,
}


def _integer(text: str) -> int | None:
    """A decimal integer, or None."""
    digits = text.removeprefix("-").removeprefix("+")
    if not (digits.isascii() and digits.isdigit() and len(digits) <= LONGEST_INTEGER):
        return None
    return int(text)
