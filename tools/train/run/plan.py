"""The units of work of a run: what each needs to be done anywhere."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import asdict, replace
from types import MappingProxyType
from typing import Any

from tengen.engine.games import get_game
from tengen.tools.executors.base import Unit, needed
from tengen.tools.train.play.matches import find_gnugo
from tengen.tools.train.run.manifest import Network
from tengen.tools.train.run.runs import Run
from tengen.tools.train.run.starts import starts_path
from tengen.tools.train.settings.config import RunConfig, as_table
from tengen.tools.train.settings.kinds import ending_of, player_of
from tengen.tools.train.settings.sections import Anchor, Gate

RATING_LOT = 40
"""Games of a unit of work of a rating."""


class Plan:
    """Makes units. begun: units of self-play so far, of all sittings: no number comes twice."""

    def __init__(self, run: Run, config: RunConfig, board: str = "") -> None:
        """board: the file for pictures of games, where somebody watches."""
        self._run, self._config, self._board = run, config, board
        self._table = as_table(config)
        self.begun = run.manifest.units
        self.ending = ending_of(config)
        self._hashes: dict[str, str] = {}
        self._starts = starts_path(run.folder, config)

    def selfplay(self, network: Network) -> Unit:
        """Games of a network against itself."""
        number, self.begun = self.begun, self.begun + 1
        facts = {
            "config": self._table, "generation": network.generation, "seed": seed_of(self._config.seed, number),
            "board": self._board, "network": self._path(network), "teacher": self._config.teacher.file,
            "starts": "" if self._starts is None else str(self._starts),
        }  # fmt: skip
        return self._unit(f"u{number:06}", "selfplay", facts, ".npz", network, more=self._teacher())

    def gate(self, network: Network, best: Network) -> list[Unit]:
        """Games of a new network against the best so far, in lots."""
        gate = self._config.gate
        facts = {**self._match(network, gate), "second": str(best.generation), "b": self._path(best)}
        return self._lots("gate", "match", gate.lot, facts, network, best)

    def rating(self, network: Network, other: Network, games: int, visits: int) -> list[Unit]:
        """Games of any two networks of the run, in lots of RATING_LOT, which divides `games`."""
        terms = replace(self._config.gate, games=games, visits=visits)
        pair = other.generation, network.generation
        seed = random.Random(f"{self._config.seed}/rating/{pair}").getrandbits(30)
        facts = {**self._match(network, terms), "second": f"{pair[0]}", "b": self._path(other), "seed": seed}
        return self._lots(f"rating-{pair[0]:04}", "match", RATING_LOT, facts, network, other)

    def anchor(self, network: Network) -> list[Unit]:
        """Games against a program that does not learn, where they are due."""
        anchor = self._config.anchor
        is_due = anchor.every and network.generation and network.generation % anchor.every == 0
        if not is_due or not network.is_taken:
            return []
        opponent = self.opponent()
        name, strength = ("level", anchor.level) if opponent == "gnugo" else ("playouts", anchor.playouts)
        against = {"second": f"{opponent}-{strength}", "opponent": opponent, name: strength}
        facts = {**self._match(network, anchor), **against}
        return self._lots("anchor", "anchor", self._config.gate.lot, facts, network)

    def _match(self, network: Network, terms: Gate | Anchor) -> dict[str, Any]:
        """What all games that judge a network are played by."""
        how = self._config.selfplay
        return {
            "board": asdict(self._config.board), "visits": terms.visits, "plies": terms.plies, "games": terms.games,
            "seed": seed_of(self._config.seed, -1 - network.generation), "precision": how.precision,
            "device": how.device, "player": player_of(self._config), "first": network.generation,
            "a": self._path(network),
        }  # fmt: skip

    def opponent(self) -> str:
        """The anchor's name."""
        wished = self._config.anchor.opponent
        if wished != "auto":
            return wished
        known = get_game(self._config.board.name).parts.opponent
        return known if known and find_gnugo() else "uct"

    def _lots(self, what: str, kind: str, lot: int, facts: dict[str, Any], *networks: Network) -> list[Unit]:
        games, generation = facts["games"], networks[0].generation
        return [
            self._unit(f"{what}-{generation:04}-{start:05}", kind,
                       {**facts, "numbers": list(range(start, min(start + lot, games)))}, ".json", *networks)
            for start in range(0, games, lot)
        ]  # fmt: skip

    def _path(self, network: Network) -> str:
        return str(self._run.path(network.file))

    def _teacher(self) -> Mapping[str, str]:
        """The teacher's file, that of the games to begin with, and their hashes, where the run has them."""
        if self._config.teacher.file and not self._hashes:
            self._hashes.update(needed(self._config.teacher.file, *([self._starts] if self._starts else [])))
        return self._hashes

    def _unit(
        self, name: str, kind: str, facts: dict[str, Any], ending: str, *networks: Network,
        more: Mapping[str, str] = MappingProxyType({}),
    ) -> Unit:  # fmt: skip
        """A unit that needs these networks and `more` files."""
        files = {str(self._run.path(file)): file.sha256 for network in networks for file in network.files} | {**more}
        return Unit(name, kind, facts, str(self._run.draft(f"{name}{ending}")), files)


def seed_of(seed: int, number: int) -> int:
    """The seed of a unit."""
    return random.Random(f"{seed}/{number}").getrandbits(30)
