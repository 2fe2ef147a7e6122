"""The player behind a conversation: made, and set as the options say, when it is needed and nothing runs."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from tengen.engine import system
from tengen.engine.config import Config
from tengen.engine.evaluators.backends.base import NetworkError
from tengen.engine.evaluators.weights import read_weights
from tengen.engine.games.chess.game import CHESS, OWN_WEIGHTS
from tengen.engine.games.chess.levels import level_of_elo
from tengen.engine.games.naming import player_of
from tengen.engine.play.player import Player
from tengen.engine.search.alphabeta import weights_file
from tengen.protocols.chess.options import AUTO, Settings, memory_of
from tengen.protocols.network_news import NetworkNews

if TYPE_CHECKING:
    from tengen.engine._core import Weights
    from tengen.engine.games.players import Level
    from tengen.protocols.chess.position import Position

WEIGHTS, TABLES, TABLES_DEPTH = "alphabeta.weights", "alphabeta.syzygy", "alphabeta.tables_depth"
MOST_THREADS = 256
"""The most threads of a search."""
MACHINE_SHARE = 0.8
"""The share of the machine's memory that a table may have."""
MB = 1 << 20


class Engine:
    """Keeps one player. Not while a search runs."""

    def __init__(self, config: Config, settings: Settings, tell: Callable[[str], None]) -> None:
        """tell: a sentence for the user."""
        self._config, self._settings, self._tell = config, settings, tell
        self.notices = NetworkNews(tell)
        self._player: Player | None = None
        self._weights = AUTO
        """Those that could be read."""
        self._told = self._folders = ""
        self._is_stale = False

    @property
    def player(self) -> Player:
        """The player as the options say; ready to search."""
        wanted = self._wanted()
        try:
            self._take(wanted, is_lenient=self._settings.text("evalfile") in ("", AUTO))
        except ValueError as error:
            self._tell(str(error))
            self._settings.values["evalfile"] = self._weights
            self._take(self._wanted(), is_lenient=True)
        self._weights = self._settings.text("evalfile")
        player = self._player
        assert player is not None
        if self._is_stale:
            player.forget()
            self._is_stale = False
        player.play_at(self._level(player))
        return player

    def weights(self) -> Weights | None:
        """The weights that the options name; None: by tables, also where a file cannot be read, which is told."""
        named = self._settings.text("evalfile") or AUTO
        path = weights_file(CHESS, str(self._config.set.get(WEIGHTS, AUTO)) if named == AUTO else named)
        try:
            return None if path is None else read_weights(path, CHESS.name, OWN_WEIGHTS.evaluator)
        except NetworkError as error:
            self._tell(str(error))
            return None

    def forget(self) -> None:
        """Before the next search, forget what was found."""
        self._is_stale = True

    def close(self) -> None:
        """Let the player go."""
        if self._player is not None:
            self._player.close()

    def sync(self, position: Position, folders: str) -> Player:
        """The player at a position; what both games have in common is kept. folders: of endgame tables that the search
        asks, which are there."""
        self._folders = folders
        player = self.player
        if player.history.start is not position.start:
            player.begin(position.start)
        colour = position.start.to_move
        moves = [((colour + number) % 2, move) for number, move in enumerate(position.moves)]
        known = player.history.moves
        common = 0
        while common < min(len(known), len(moves)) and known[common] == moves[common]:
            common += 1
        if common < len(known):
            player.undo(len(known) - common)
        if common < len(moves):
            player.play_sequence(moves[common:])
        return player

    def _take(self, config: Config, *, is_lenient: bool = False) -> None:
        """Make the player of a configuration, or have the present one take it. Raises ValueError."""
        player = self._player
        if player is not None and player.config == config:
            return
        if player is not None and player.config.player == config.player:
            player.configure(config)
        else:
            fresh = Player(config, is_lenient=is_lenient)
            self.close()
            self._player = player = fresh
        player.prepare()

    def _wanted(self) -> Config:
        """The configuration that the options make."""
        settings, base = self._settings, self._config
        name, entry = player_of(CHESS, settings.text("player"))
        weights = settings.text("evalfile") or AUTO
        chosen = dict(base.set)
        if weights != AUTO and WEIGHTS in entry.set:
            chosen[WEIGHTS] = weights
        if self._folders and WEIGHTS in entry.set:
            chosen[TABLES] = self._folders
            chosen[TABLES_DEPTH] = settings.number("syzygyprobedepth")
        level = settings.number("level") or None
        return replace(
            base,
            player=name,
            memory=memory_of(self._hash()),
            threads=min(settings.number("threads"), MOST_THREADS),
            playouts=settings.number("nodes") or None,
            level=level if level in entry.levels else None,
            set=chosen,
            book="none",
            ponder=False,
        )

    def _hash(self) -> int:
        """MB of the table: as asked for, but not more than the machine has."""
        wanted, most = self._settings.number("hash"), _machine_mb()
        if wanted <= most:
            return wanted
        sentence = f"Hash {wanted} is more than this machine has: {most} MB are used"
        if sentence != self._told:
            self._told = sentence
            self._tell(sentence)
        return most

    def _level(self, player: Player) -> Level | None:
        """What UCI_Elo asks for; None: as configured."""
        settings = self._settings
        if not settings.check("uci_limitstrength") or settings.check("uci_analysemode") or not player.looks_ahead:
            return None
        return level_of_elo(settings.number("uci_elo"))


def _machine_mb() -> int:
    """MB that a table may have on this machine; without end where the system does not say."""
    memory = system.memory()
    return 1 << 40 if math.isinf(memory) else max(1, int(MACHINE_SHARE * memory / MB))
