"""One GTP conversation: takes lines, finds the command, frames the answer, keeps what belongs to the conversation.

The player is made by the first command that needs it, so that `name` and `list_commands` answer before the
core, numpy or a network is loaded.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from tengen.engine.evaluators.backends.base import NetworkError
from tengen.engine.version import __version__
from tengen.protocols.gtp.framing import GtpError, Request, is_interrupt, parse, quoted, response
from tengen.protocols.gtp.last_search import LastSearch
from tengen.protocols.gtp.registry import COMMANDS, GO, Open
from tengen.protocols.lines import Line
from tengen.protocols.network_news import NetworkNews
from tengen.protocols.output import OutputClosed
from tengen.protocols.sandbox import Sandbox
from tengen.protocols.session import GRACE, Session, failure

if TYPE_CHECKING:
    from tengen.engine.config import Config
    from tengen.engine.evaluators.background import Loading
    from tengen.engine.games.base import State
    from tengen.engine.play.player import Analysis, Player


class Gtp:
    """The handler of a GTP session (see `session.Handler`)."""

    session: Session

    def __init__(self, config: Config, make_player: Callable[[Config], Player] | None = None) -> None:
        self.config = config
        self.name = config.name or "Tengen"
        self.version = config.version_string or __version__
        self.idle_parameters: dict[str, float] = {}
        """Parameters that were set and have no effect (see `params.IDLE`)."""
        self.last_search: LastSearch | None = None
        """The last search, for explanations and pictures."""
        self.left_out: list[tuple[int, int]] = []
        """Passes that the rules force and the controller did not send: the very moves of the player's history."""
        self.has_time_settings = False
        """Whether the controller has said by which time control is played; "none" is one."""
        self._news = NetworkNews(lambda sentence: self.session.complain(f"{self.name}: {sentence}"), at_once=True)
        self._people: Loading | None = None
        self.quitting = False
        self._first = config
        self._make_player = make_player
        self._player: Player | None = None
        self._sandbox: Sandbox | None = None
        self._analysis: tuple[Analysis, State] | None = None
        self._begun = False

    # -- for commands -------------------------------------------------------------------------------------

    @property
    def game(self) -> str:
        """The name of the game in play."""
        return self.config.game

    @property
    def player(self) -> Player:
        """The player, made on first use."""
        if self._player is None:
            try:
                self._player = self._new_player(self.config)
            except (ValueError, ImportError, OSError) as error:
                self.session.complain(f"{self.name} cannot play: {error}")
                raise GtpError(f"cannot play: {error}") from error
        return self._player

    def change_game(self, name: str) -> None:
        """Begin a new game of another kind. Raises GtpError and goes on as before when it cannot be played.

        The player, the rules and the search settings that the session was started with hold in its first game only.
        """
        old = self._player
        config = replace(self.config if old is None else old.config, game=name, player=None, rules=None, set={})
        if name == self._first.game:
            config = replace(config, player=self._first.player, rules=self._first.rules, set=self._first.set)
        try:
            player = self._new_player(config)
        except (ValueError, ImportError, OSError) as error:
            raise GtpError(f"cannot play: {error}") from error
        if old is not None:
            player.clock.set_control(old.clock.control)
            old.close()
        self.config, self._player, self.last_search = config, player, None

    def rehearsal(self) -> Player:
        """A second player to try moves on; it is not asked to think, so search options stay unused."""
        return self._new_player(replace(self.config, set={}))

    def _new_player(self, config: Config) -> Player:
        if self._make_player is None:
            from tengen.engine.play.player import Player

            self._make_player = partial(Player, is_lenient=True)
        return self._make_player(config)

    @property
    def sandbox(self) -> Sandbox:
        """The folder of loadsgf and printsgf: --file-root, by default the current folder."""
        if self._sandbox is None:
            self._sandbox = Sandbox(self.config.file_root or ".")
        return self._sandbox

    def begin(self, request: Request) -> None:
        """Send the head of a response whose lines follow one by one (see `stream`)."""
        self._begun = True
        self.session.write(f"={request.id}\n")

    def stream(self, line: str) -> None:
        """Send one line of a response that has begun; an empty one would end it and is left out."""
        if line:
            with suppress(OutputClosed):  # the session knows; the search's thread is not told by an exception
                self.session.write(line + "\n")

    def tell_once(self, sentence: str) -> None:
        """A line on stderr that is said once in the conversation."""
        self._news.once(sentence)

    def look_for_network(self, *, begins: bool) -> None:
        """Report the known facts about the network that plays, and the rest when it is ready; `begins` loads it."""
        config = (self._player or self).config
        if config.net != "none":
            self._news.look(self.player, begins_game=begins)
        if config.human_net is not None:
            self._look_for_people(config, begins=begins)

    def look_outside(self) -> None:
        """Tell what of the position the network was not taught, each sentence once."""
        self._news.look_outside(self.player)

    def _look_for_people(self, config: Config, *, begins: bool) -> None:
        """The same of the human network beside it. What is wrong with that is told by whoever needs it."""
        from tengen.engine.play.networks import human_network_of

        if self._people is None and begins and config.game in GO:
            self._people = human_network_of(config)
        if self._people is not None and self._people.is_done and self._people.error is None:
            for sentence in self._people.sentences():
                self.tell_once(sentence)

    def keep_open(self, analysis: Analysis) -> None:
        """The response stays open; the next line of input ends it and `analysis`, which is of the current position."""
        self._analysis = analysis, self.player.state.copy()

    # -- session.Handler ----------------------------------------------------------------------------------

    def open(self, session: Session) -> None:
        """Begin."""
        self.session = session

    def arrived(self, line: Line) -> None:
        """Reader thread: GoGui's "# interrupt", and a "quit" that should not wait for a long search."""
        if is_interrupt(line):
            self.session.interrupt(line)
        elif b"quit" in line.data and len(line.data) < 100:
            request = parse(line)
            if request is not None and request.name == "quit":
                self.session.hasten(GRACE)

    def handle(self, line: Line) -> bool:
        """Answer one line. Any line, also an empty one, ends an analysis first."""
        self._end_analysis()
        request = parse(line)
        if request is None:
            return True
        self._begun = False
        try:
            text = self._execute(request)
        except (GtpError, NetworkError) as error:
            self._refuse(request, str(error))
            return True
        if not isinstance(text, Open):
            self.session.write(f"{text}\n\n" if self._begun else response("=", request.id, text))
        return not self.quitting

    def failed(self, line: Line, error: Exception) -> None:
        """Answer a command that broke."""
        request = parse(line)
        if request is not None:
            words = "" if isinstance(error, MemoryError) else f": {error}"
            self._refuse(request, f"{failure(error)}{words}")

    def close(self) -> None:
        """End the analysis, if one runs, and let the player go.

        Really go: the reader thread still waits for input and holds this object until the process is gone.
        """
        try:
            self._end_analysis()
        finally:
            player, self._player = self._player, None
            if player is not None:
                player.close()

    # -- inside -------------------------------------------------------------------------------------------

    def _execute(self, request: Request) -> str | Open:
        command = COMMANDS.get(request.name)
        if command is None:
            raise GtpError("unknown command" if request.name else "no command")
        if refusal := command.refusal(self.game):
            raise GtpError(refusal)
        if request.overlong:
            raise GtpError("line too long")
        answer = command.function(self, request)
        self.look_for_network(begins=request.name in ("boardsize", "clear_board"))
        return answer

    def _refuse(self, request: Request, reason: str) -> None:
        """A `?` response; a response that has begun can only be closed, the reason then goes to stderr."""
        if self._begun:
            self._begun = False
            self.session.complain(f"{request.name}: {reason}")
            self.session.write("\n")
        else:
            reason = " ".join(reason.splitlines()).strip() or f"{quoted(request.name)} failed"
            self.session.write(response("?", request.id, reason))

    def _end_analysis(self) -> None:
        if self._analysis is not None:
            (analysis, root), self._analysis = self._analysis, None
            try:
                self.last_search = LastSearch(analysis.stop(), root)
            finally:
                self.session.write("\n")
