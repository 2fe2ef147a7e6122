"""The sections of a run's settings, with the bounds of every key: frozen values, which `config.py` reads and merges."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from tengen.engine.config import Config, ConfigError
from tengen.engine.options import check, choice, number, text
from tengen.engine.sentence import excerpt
from tengen.nets.recipe import LossWeights

AUTO = "auto"
PRECISIONS = (AUTO, "f32", "bf16", "int8")
ANCHORS = "who; auto: GNU Go where it is installed, else uct; rollout: pure MCTS"


def _whole(default: int, low: int, high: int, doc: str) -> Any:
    return field(default=default, metadata={"option": number("", default, low, high, doc, is_whole=True)})


def _real(default: float, low: float, high: float, doc: str) -> Any:
    return field(default=default, metadata={"option": number("", default, low, high, doc)})


def _check(default: bool, doc: str) -> Any:
    return field(default=default, metadata={"option": check("", default, doc)})


def _choice(default: str, choices: tuple[str, ...], doc: str) -> Any:
    return field(default=default, metadata={"option": choice("", default, choices, doc)})


def _text(default: str, doc: str) -> Any:
    return field(default=default, metadata={"option": text("", default, doc)})


@dataclass(frozen=True)
class Board:
    """The game, board and rules."""

    name: str = _text(Config.game, "the game")
    size: str = _text("9", "board size; several as 9,13,19, each as often as the others")
    rules: str = _text("", "rules by name; several as chinese,japanese; the game's own in matches where it is empty")
    komi: float = _real(7.0, -200, 200, "the middle of the komi (Go)")
    komi_spread: float = _real(0.0, 0, 50, "standard deviation of the komi from game to game, in steps of a half (Go)")

    @property
    def sizes(self) -> tuple[int, ...]:
        """The sizes as numbers. Raises ConfigError."""
        return tuple(dict.fromkeys(self.named_sizes))

    @property
    def named_sizes(self) -> tuple[int, ...]:
        """The same as often as each is named. Raises ConfigError."""
        words = self.size.split(",")
        if not all(word.strip().isdecimal() and len(word) < 5 for word in words):
            raise ConfigError(f"board.size must be a size or several, as 9,13, not {excerpt(self.size, 60)}")
        return tuple(int(word) for word in words)

    @property
    def rule_names(self) -> tuple[str, ...]:
        """The names of the rules; none: the game's own."""
        return tuple(dict.fromkeys(word.strip() for word in self.rules.split(",") if word.strip()))


@dataclass(frozen=True)
class SelfPlay:
    """Settings of the games; the table `search` has those of each search."""

    workers: int = _whole(0, 0, 1024, "processes that play; 0: one for each core that may be used")
    slots: int = _whole(64, 1, 65536, "games side by side in a process, which share batches")
    batch: int = _whole(64, 1, 4096, "positions in a batch of the network")
    unit_games: int = _whole(64, 1, 10**6, "games of a unit of work, whose games are a file")
    precision: str = _choice(AUTO, PRECISIONS, "what the network computes in")
    device: str = _choice("cpu", ("cpu", "gpu", "npu"), "what computes it")


@dataclass(frozen=True)
class Teacher:
    """A stronger network that says what positions are worth, in place of self-play (Go)."""

    file: str = _text("", "a network of KataGo's format, or of ours; none: the run plays by itself")
    share: float = _real(0.5, 0.01, 1, "share of the positions of a game that are labelled")
    symmetries: int = _whole(1, 1, 8, "symmetries of the board that a label is the mean over")
    student: float = _real(0.3, 0, 1, "share of the games whose moves are those of the network that learns")
    games: str = _text(
        "", "records of people, a file or a folder, whose positions games begin with; none: no such games"
    )
    from_games: float = _real(0.3, 0, 1, "share of the games that begin with a position of those, where there are any")
    fights: float = _real(0.35, 0, 1, "share of the games that begin with a local fight")
    handicaps: float = _real(0.1, 0, 1, "share of the games that begin with a handicap")
    absurd: float = _real(0.12, 0, 0.4, "share of the games with any komi at all; 1.5 times as many have an unfair one")


@dataclass(frozen=True)
class Window:
    """From which positions batches are drawn: the newest, as many as KataGo's formula says."""

    least: int = _whole(5_000, 1, 10**9, "positions before anything is learned")
    minimum: int = _whole(20_000, 1, 10**9, "positions in the window, if there are so many")
    alpha: float = _real(0.75, 0, 1, "exponent of its growth; 0: by the logarithm")
    beta: float = _real(0.4, 0, 1, "how fast it grows behind minimum; 0: it does not")
    maximum: int = _whole(0, 0, 10**9, "positions in it at most; 0: no bound")
    without_history: float = _real(0.05, 0, 1, "share of the positions that are shown without earlier moves")
    held_out: float = _real(0.05, 0, 0.5, "share of the files of games that are not learned from but looked at")


@dataclass(frozen=True)
class Records:
    """Learning from games of people, if a run was begun with some."""

    generations: int = _whole(0, 0, 10**6, "the first networks, which learn from records; 0: all, nothing is played")
    steps: int = _whole(2_000, 1, 10**9, "steps for each of them")
    players: float = _real(0.05, 0, 0.5, "share of the players whose games are held out")


@dataclass(frozen=True)
class ModelConfig:
    """The network."""

    kind: str = _text(AUTO, "what is built; auto: katago for Go, else residual")
    features: str = _text(AUTO, "what it sees; auto: the kind's or the game's")
    blocks: int = _whole(6, 1, 100, "residual blocks")
    channels: int = _whole(64, 1, 2048, "channels of the trunk")
    pooling: int = _whole(3, 0, 100, "every so many blocks one pools from the whole board; 0: none")
    pooled: int = _whole(0, 0, 1024, "channels of it that are pooled; 0: a quarter")
    head: int = _whole(32, 1, 1024, "channels of the convolutions of the heads")
    hidden: int = _whole(64, 1, 2048, "of the value head's layer")
    has_score: bool = _check(False, "also says the margin; katago always does")
    soft_policy: bool = _check(False, "also learns the policy to the power of 1/4, which is never played by")


@dataclass(frozen=True)
class Training:
    """Settings of learning."""

    begin: str = _text("", "a file of KataGo's format whose weights the run begins with; none: random ones")
    optimizer: str = _choice("adamw", ("adamw", "adam", "sgd", "muon"), "what makes the steps")
    batch: int = _whole(128, 1, 65536, "positions in a step")
    rate: float = _real(0.002, 1e-7, 10, "learning rate")
    rise: int = _whole(200, 0, 10**7, "steps in which the rate rises to that")
    fall: int = _whole(20_000, 0, 10**9, "steps until the rate has fallen to its floor by half a cosine; 0: never")
    floor: float = _real(0.1, 0, 1, "share of the rate that is left then")
    decay: float = _real(0.0001, 0, 1, "weight decay")
    momentum: float = _real(0.9, 0, 0.9999, "of sgd")
    clip: float = _real(5.0, 0.001, 1e6, "largest norm of a gradient")
    average: float = _real(0.995, 0, 0.99999, "share of itself that the average of the weights keeps at a step")
    settle: float = _real(1.0, 0, 1, "part of the steps of fall after which normalisations keep their statistics")
    found: float = _real(0.5, 0, 1, "share of what the search found, against the outcome, in the value to learn")
    value_loss: str = _choice("cross-entropy", ("cross-entropy", "square"), "of the result, or of the expected one")
    precision: str = _choice("auto", ("auto", "bf16", "f32"), "what the learning computes in")
    threads: int = _whole(1, 1, 1024, "threads that learn")
    device: str = _choice("auto", ("auto", "cpu", "cuda"), "what computes; auto: a GPU where there is one")


@dataclass(frozen=True)
class Settling:
    """A learning rate that follows how far each batch moves the policy (the KL divergence), as AlphaZero_Gomoku's."""

    epochs: int = _whole(0, 0, 1000, "times that each batch is learned from; 0: once, by `training` alone")
    target: float = _real(0.02, 1e-6, 10, "how far a batch should move the policy; 4 times that is enough of it")
    factor: float = _real(1.5, 1, 100, "what divides the rate above twice the target, multiplies it below half")
    least: float = _real(0.1, 1e-6, 1, "what the rate is multiplied by at least")
    most: float = _real(10.0, 1, 1e6, "and at most")


@dataclass(frozen=True)
class Cycle:
    """One generation after the other: games, steps, a network, games against the one before."""

    positions: int = _whole(4_000, 1, 10**9, "new positions before the next network")
    reuse: float = _real(4.0, 0.01, 1000, "how often a position is learned from, on the average")
    steps: int = _whole(0, 0, 10**9, "steps for a network at most; 0: as many as `reuse` says")
    commit_seconds: float = _real(60.0, 1, 86400, "between two commits of what was learned, at most")
    generations: int = _whole(0, 0, 10**6, "the run is over after so many networks; 0: it goes on until it is ended")
    games: int = _whole(0, 0, 10**9, "the same by games: with the first network that so many are behind")


@dataclass(frozen=True)
class Gate:
    """Whether a new network plays from now on: by games against the one that does, each opening with both colours."""

    games: int = _whole(40, 0, 10**5, "games, an even number; 0: every network is taken")
    visits: int = _whole(32, 1, 10**6, "visits a move")
    score: float = _real(0.5, 0, 1, "the share of the points from which it is taken")
    plies: int = _whole(4, 0, 60, "random moves of an opening")
    lot: int = _whole(20, 2, 1000, "games of a unit of work, an even number")


@dataclass(frozen=True)
class Anchor:
    """Games against a program that does not learn, so that a run that only beats itself is found out."""

    every: int = _whole(5, 0, 10**6, "networks from one such match to the next; 0: none")
    games: int = _whole(20, 2, 10**5, "games, an even number")
    opponent: str = _choice("auto", ("auto", "gnugo", "uct", "rollout"), ANCHORS)
    level: int = _whole(1, 0, 10, "of GNU Go")
    playouts: int = _whole(200, 1, 10**9, "of uct and rollout, a move")
    visits: int = _whole(64, 1, 10**6, "of the network, a move")
    plies: int = _whole(4, 0, 60, "random moves of an opening")


SECTIONS: Mapping[str, type] = {
    "board": Board, "selfplay": SelfPlay, "teacher": Teacher, "window": Window, "records": Records,
    "model": ModelConfig, "training": Training,
    "kl": Settling, "losses": LossWeights, "cycle": Cycle, "gate": Gate, "anchor": Anchor,
}  # fmt: skip
