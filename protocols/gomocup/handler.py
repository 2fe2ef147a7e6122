"""One Gomocup conversation: takes lines, finds the command, writes the reply, and reacts to what comes while it thinks.

Lines are handled in order and none is lost. Only END, YXSTOP and INFO act before their turn: on the search in
progress, from the reader's thread. The player is made by START, so that ABOUT answers before the core is loaded.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from threading import Timer
from typing import TYPE_CHECKING, Any, NamedTuple

from tengen.engine.config import DEFAULT_SECONDS
from tengen.engine.play.request import MoveRequest
from tengen.protocols.gomocup import info
from tengen.protocols.gomocup.framing import GomocupError, Request, number, parse, quoted, text_of
from tengen.protocols.gomocup.info import Settings
from tengen.protocols.gomocup.registry import COMMANDS, Command
from tengen.protocols.gomocup.timing import UNLIMITED
from tengen.protocols.lines import Line
from tengen.protocols.network_news import NetworkNews
from tengen.protocols.output import OutputClosed
from tengen.protocols.session import Session, failure

if TYPE_CHECKING:
    from tengen.engine.config import Config
    from tengen.engine.play.player import Decision, Player
    from tengen.protocols.gomocup.position import Position

STOPS = frozenset((b"YXSTOP", b"STOP"))
SAME_BREATH = 0.05
"""An END that comes so soon after a question was sent along with it: the question is answered first, in a hurry."""
HURRY = 0.15
"""Seconds for such answers; managers wait 500 ms for the process to end."""
LEAST_THOUGHT = 0.015
"""Seconds that a search has, also when a YXSTOP is already waiting: enough to see a five."""
MAX_LINES = 4096
"""Lines of one block that are kept: the largest board has 625 points."""
MAX_INFORMED = 16
"""INFO lines that wait for a search to begin."""
BLOCK_TIME = 0.2
"""A block counts on the clock from its first line, but for at most so many seconds: a person may type it."""
BUSY = 2.0
"""Seconds that pass for one that the process works, when others work beside it."""


class Thinking(NamedTuple):
    """A search in progress: the line that asked for it, and when."""

    number: int
    started: float


class Block(NamedTuple):
    """A command whose lines are still coming."""

    command: Command
    request: Request
    lines: list[str]


class Gomocup:
    """The handler of a Gomocup session (see `session.Handler`)."""

    session: Session

    def __init__(
        self, config: Config, make_player: Callable[[Config], Player] | None = None, *, startup: float = 0.0
    ) -> None:
        """startup: CPU seconds that the process has used so far (see `_started`)."""
        self.config = config
        self.settings = Settings()
        self.blocked: set[tuple[int, int]] = set()
        """Points (x, y) that we may not play, as Yixin-Board says."""
        self._make_player = make_player
        self._player: Player | None = None
        self._position: Position | None = None
        self._has_game = False
        self._block: Block | None = None
        self._arrivals: dict[int, float] = {}
        self._thinking: Thinking | None = None
        self._informed: deque[Line] = deque(maxlen=MAX_INFORMED)
        """INFO lines since the newest command, which a search that has not begun yet must hear."""
        self._newest = 0
        self._moved = 0.0
        self._is_left = False
        self._news = NetworkNews(lambda sentence: self.say(f"MESSAGE {sentence}"))
        self._startup, self._greeted = startup, float("inf")

    # -- for commands -------------------------------------------------------------------------------------

    @property
    def player(self) -> Player:
        """The player, made on first use."""
        if self._player is None:
            if self._make_player is None:
                from tengen.engine.play.player import Player

                self._make_player = partial(Player, is_lenient=True)
            try:
                self._player = self._make_player(self.settings.over(self.config))
                self._player.prepare()
            except (ValueError, ImportError, OSError) as error:
                self._player = None
                raise GomocupError(f"cannot play: {error}") from error
        return self._player

    @property
    def position(self) -> Position:
        """The board of the player."""
        if self._position is None:
            from tengen.protocols.gomocup.position import Position

            self._position = Position(self.player)
        return self._position

    @property
    def has_game(self) -> bool:
        """Whether a game was started."""
        return self._has_game

    def new_game(self, width: int, height: int) -> None:
        """An empty board. Raises GomocupError for a size that the game does not have."""
        try:
            self.position.new_game(width, height)
        except ValueError:
            raise GomocupError(f"a board of {width}x{height} is not supported, only sides from 5 to 25") from None
        self._has_game = True
        self._configure()

    def search(self, request: Request, colour: int, *, is_new: bool = True, **options: Any) -> Decision:
        """`Player.genmove` as this conversation may interrupt it. Raises IllegalMove("game over").

        is_new: the time counts from the request on, otherwise from now.
        """
        self._configure()
        player = self.player
        started = self._started(request) if is_new else time.monotonic()
        self.settings.timing.apply(player.clock, colour)
        self._thinking = Thinking(request.number, started)
        try:
            for line in list(self._informed):
                if line.number > request.number:
                    self._inform(line)
            with self.session.searching(least=LEAST_THOUGHT) as stop:
                decision = player.genmove(MoveRequest(colour, resign=False, started=started, stop=stop, **options))
        finally:
            self._thinking = None
            self._moved = time.monotonic() if is_new else self._moved
        self._news.once(decision.notice)
        self.session.warn(player.clock.overhead.notice)
        return decision

    def seconds(self, request: Request, colour: int) -> float:
        """Return the clock's seconds for one move of `colour` from now on, for commands that search more than once."""
        self._configure()
        player = self.player
        self.settings.timing.apply(player.clock, colour)
        position, hooks = (player.state, len(self.position.stones)), player.hooks
        budget = player.clock[colour].budget(hooks.moves_left(*position), most_moves=hooks.most_moves(*position))
        bounds = [one for one in (budget, player.config.time) if one is not None]
        return min(bounds, default=DEFAULT_SECONDS) - (time.monotonic() - self._started(request))

    def say(self, text: str) -> None:
        """Send a line now, from any thread; nothing after an END that came while we were thinking."""
        if text and not self._is_left:
            with suppress(OutputClosed):  # the session knows, and ends
                self.session.write(text + "\n")

    # -- session.Handler ----------------------------------------------------------------------------------

    def open(self, session: Session) -> None:
        """Begin."""
        self.session = session

    def arrived(self, line: Line) -> None:
        """Reader thread: note the time, and let END, YXSTOP and INFO act on the search in progress."""
        self._arrivals[line.number] = time.monotonic()
        word = line.data[:256].split(maxsplit=1)[:1]
        name = word[0].upper() if word else b""
        if name == b"END":
            self._end_arrived()
        elif name in STOPS:
            self.session.interrupt(line)
        elif name == b"INFO":
            self._informed.append(line)
            self._inform(line)
        elif name:
            self._informed.clear()
            self._newest = line.number

    def handle(self, line: Line) -> bool:
        """Act on one line."""
        arrived = self._arrivals.pop(line.number, None)
        request = parse(line, time.monotonic() if arrived is None else arrived)
        if self._is_left:
            return False
        if request is None:
            return True
        if request.name == "END":
            return False
        if request.name == "INFO":
            info.apply(self.settings, request.text)
            return True
        if self._block is None or not self._continue_block(self._block, request, text_of(line)):
            self._dispatch(request)
        return not self._is_left

    def failed(self, line: Line, error: Exception) -> None:
        """Answer a command that broke."""
        self._block = None
        self.say(f"ERROR {failure(error)}")

    def close(self) -> None:
        """Let the player go. Really go: the reader thread holds this object until the process is gone."""
        player, self._player, self._position = self._player, None, None
        if player is not None:
            player.close()

    # -- inside: commands and blocks ----------------------------------------------------------------------

    def _dispatch(self, request: Request) -> None:
        command = COMMANDS.get(request.name)
        self.settings.is_yixin |= request.name.startswith("YX")
        if command is None:
            self.say(f"UNKNOWN command {quoted(request.name)}")
        elif command.is_block:
            self._block = Block(command, request, [])
        else:
            self._execute(command, request)

    def _continue_block(self, block: Block, request: Request, text: str) -> bool:
        """Take a line of a block; False for a command that stands where the block should have gone on."""
        if request.name == "DONE":
            self._block = None
            began = max(block.request.arrived, request.arrived - BLOCK_TIME)
            whole = request._replace(name=block.request.name, text=block.request.text, arrived=began)
            self._execute(block.command, whole._replace(lines=tuple(block.lines)))
            return True
        if request.name in COMMANDS:
            self._block = None
            self.say(f"ERROR {block.request.name} without DONE")
            return False
        if len(block.lines) < MAX_LINES:
            block.lines.append(text[:256])
        return True

    def _execute(self, command: Command, request: Request) -> None:
        try:
            if command.needs_rule:
                self._apply_rule()
            if command.needs_board and not self._has_game:
                raise GomocupError("no game has been started")
            reply = command.function(self, request)
        except GomocupError as error:
            reply = f"ERROR {error}"
        if reply == "OK":
            self._greeted = min(self._greeted, time.monotonic())
        self.say(reply)
        if self._player is not None:
            self._news.look(self._player, begins_game=reply == "OK")

    def _apply_rule(self) -> None:
        """Play by the rule that INFO asked for. Raises GomocupError for one that does not exist."""
        name = self.settings.rule_name()
        if name is None:
            return
        rules = self.player.game.rule_sets.get(name)
        if rules is None:
            raise GomocupError(f"rule {self.settings.rule} is not supported")
        if self.player.rules != rules:
            self.position.set_rules(rules)

    def _configure(self) -> None:
        config = self.settings.over(self.config)
        if config != self.player.config:
            self.player.configure(config)

    def _started(self, request: Request) -> float:
        """When the clock of a request began to run.

        With its line, but not before our last move was out: only a script asks earlier. A manager may write
        everything at once and stop the process while it starts. Then nobody can say when the clock began: all the
        time that starting took, on a machine that has other work, is taken as spent.
        """
        if self.session.is_script:
            return time.monotonic()
        startup = BUSY * self._startup if request.arrived <= self._greeted and not self._moved else 0.0
        return max(request.arrived - startup, self._moved)

    # -- inside: the reader's thread ----------------------------------------------------------------------

    def _end_arrived(self) -> None:
        thinking = self._thinking
        if thinking is not None and not self.session.is_script and time.monotonic() - thinking.started > SAME_BREATH:
            self._is_left = True
            self.session.hasten(0.0)
        else:
            self.session.hasten(HURRY)

    def _inform(self, line: Line) -> None:
        """An INFO that concerns the search in progress and comes right after its command; also from the main thread,
        when it came before the search had begun. Twice is once."""
        thinking, player = self._thinking, self._player
        if thinking is None or player is None or self.session.is_script or self._newest > thinking.number:
            return
        key, _, rest = text_of(line)[4:].strip().partition(" ")
        value = number(rest)
        if key.lower() not in info.AT_ONCE or value is None or value >= UNLIMITED:
            return
        if key.lower() == "show_detail":
            info.apply(self.settings, f"{key} {rest}")
            return
        limit = max(0, value) / 1000
        due = (thinking.started if key.lower() == "timeout_turn" else time.monotonic()) + limit
        wait = due - player.clock.overhead.margin(limit) - time.monotonic()
        if wait <= 0:
            self.session.interrupt(line)
        else:
            timer = Timer(wait, self.session.interrupt, (line,))
            timer.daemon = True
            timer.start()
