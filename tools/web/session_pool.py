"""All games of the page: begun, gone on with, found by their names, closed when there are too many."""

from __future__ import annotations

import threading
from dataclasses import replace
from typing import Any

from tengen.engine.config import Config, ConfigError
from tengen.engine.games import GAMES, get_game
from tengen.engine.play.networks import looked_for, player_for
from tengen.engine.records import Record, RecordError
from tengen.tools.play.command import SECONDS
from tengen.tools.play.seats import Own, Person, Program, Seat, table_of_words
from tengen.tools.play.strength import usual_strength
from tengen.tools.play.table import Table, new_live, table_of
from tengen.tools.web.game_folder import GameFolder
from tengen.tools.web.request_body import Refused
from tengen.tools.web.session import Session
from tengen.tools.web.worker import Worker

MOST_GAMES = 8
"""Open at the same time; beyond that the one that nobody used for longest is closed. It is kept in its file."""


Programs = dict[str, dict[str, str]]
"""Game -> a program's name -> its command line: what the page may start, and nothing else."""


class SessionPool:
    """The games of one server. programs: that may be chosen. threads, memory: of each player of ours."""

    def __init__(
        self, saved: GameFolder, programs: Programs | None = None, *, threads: int | None = None, memory: int = 256
    ) -> None:
        self.saved, self.programs, self._threads, self._memory = saved, programs or {}, threads, memory
        self._games: dict[str, tuple[Session, Worker]] = {}
        self._lock = threading.Lock()
        self._count, self._names = 0, set[str]()

    def new(self, wish: dict[str, Any]) -> Session:
        """Begin a game as the page wishes. Raises ConfigError, ValueError with one sentence."""
        game = str(wish.get("game", Config.game))
        if game not in GAMES:
            raise ConfigError(f"unknown game '{game[:20]}'")
        base = self._config(game)
        config = replace(base, rules=wish.get("rules") or None)
        size, komi, handicap = (wish.get(key) for key in ("size", "komi", "handicap"))
        live = new_live(config, size, komi, handicap or 0)
        given = wish.get("seats", [{"kind": "person"}, {"kind": "own"}])
        first, second = (self._seat(config, seat) for seat in given)
        return self._host(Table(live, (first, second), looked_for(base)), "")

    def saved_game(self, name: str) -> Session:
        """Go on with a game of the folder, which is kept under its name. Raises RecordError."""
        stem = name.rpartition(".")[0]
        with self._lock:
            known = self._games.get(stem)
        return known[0] if known else self.of_record(self.saved.read(name), stem)

    def of_record(self, record: Record, name: str = "") -> Session:
        """Look at a game that was read. Raises RecordError."""
        names = record.players
        seats = Person(names[0]), Person(names[1])
        table, told = table_of(record, seats, looked_for(self._config(record.game)))
        return self._host(table, ". ".join([*record.warnings, *([told] if told else [])]), name)

    def find(self, name: str) -> Session:
        """An open game. Raises Refused."""
        with self._lock:
            found = self._games.get(name)
        if found is None:
            raise Refused(404, "that game is no longer open: it is among the saved ones")
        return found[0]

    def seat(self, session: Session, side: int, wish: dict[str, Any]) -> None:
        """Somebody else takes a seat. Raises ConfigError."""
        config = self._config(session.table.game.name)
        made = self._seat(replace(config, rules=None), wish)
        with session.lock:
            old, session.table.seats[side] = session.table.seats[side], made
            session.told = ""
            session.touch()
        old.interrupt()

    def keep(self, session: Session) -> None:
        """Write the game into the folder. What goes wrong is told with the game."""
        with session.lock:
            if session.kept is not None or not session.is_unsaved or not session.line:
                return
            session.is_unsaved = False
            try:
                self.saved.write(session.name, session.record(), session.table.extension)
            except (RecordError, OSError) as error:
                session.told = f"the game is not saved: {error}"

    def close(self) -> None:
        """All games end."""
        with self._lock:
            games, self._games = list(self._games.values()), {}
        for session, _ in games:
            session.close()
        for _, worker in games:
            worker.join()

    def _host(self, table: Table, told: str, name: str = "") -> Session:
        with self._lock:
            self._count += 1
            new = self.saved.new_name(table.game.name)
            name = name or (f"{new}-{self._count}" if new in self._names else new)
            self._names.add(name)
            session = Session(name, table, told)
            self._games[name] = session, Worker(session, self.keep)
            oldest = sorted(self._games.values(), key=lambda pair: (pair[0].is_watched, pair[0].used))
            leaving = [pair[0] for pair in oldest[: max(0, len(self._games) - MOST_GAMES)] if pair[0] is not session]
            for other in leaving:
                del self._games[other.name]
        for other in leaving:
            other.close()
        return session

    def _config(self, game: str) -> Config:
        return Config(game=game, net="", threads=self._threads, memory=self._memory, time=SECONDS)

    def _seat(self, config: Config, wish: dict[str, Any]) -> Seat:
        """A person, or a player of ours at a level. Raises ConfigError."""
        if not isinstance(wish, dict) or wish.get("kind") != "own":
            name = wish.get("name", "") if isinstance(wish, dict) else ""
            return Person(name[:60] if isinstance(name, str) else "")
        game, player, level = get_game(config.game), wish.get("player") or None, wish.get("level")
        command = self.programs.get(game.name, {}).get(str(player))
        if command is not None:
            return Program(table_of_words(command), game.name)
        if player is not None and player not in game.players:
            raise ConfigError(f"{game.name} has no such player")
        config = replace(config, player=player)
        config = looked_for(config)
        name = player_for(game, config) or next(iter(game.players))
        entry, rank = game.players[name], wish.get("rank")
        if isinstance(rank, str) and rank in entry.ranks:
            return Own(replace(config, rank=rank))
        if "level" not in wish:
            return Own(usual_strength(config, entry))
        return Own(replace(config, level=level if level in entry.levels else None))
