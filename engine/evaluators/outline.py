"""The facts in a network file that are read before it is loaded: the game, what it sees, the boards it is for.

The two formats are told apart by the name: NAME.onnx has a card beside it, everything else is a KataGo file.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from tengen.engine.evaluators.backends.base import NetworkError
from tengen.engine.evaluators.katago import KATAGO_FEATURES, KATAGO_GAME
from tengen.engine.sentence import excerpt

Size = tuple[int, int]
"""The width and height of a board."""
ONNX = ".onnx"


class Outline(NamedTuple):
    """name: of the file, "" for a network that is looked for. width, height: of its boards, 0 for any. human: what a
    human network calls itself, which has to be told of the players; "" for any other."""

    name: str = ""
    game: str = KATAGO_GAME
    features: str = KATAGO_FEATURES
    width: int = 0
    height: int = 0
    human: str = ""

    @property
    def has_owners(self) -> bool:
        """Whether it is sure to say who owns the points of a board."""
        return self.features == KATAGO_FEATURES

    def check_player(self, game: str, player: str, features: Sequence[str], *, is_told: bool = False) -> None:
        """Raises NetworkError with one sentence unless it plays the game and sees what the player's networks do.

        features: those of the player, each for its whole family; none: any will do. is_told: whether it is told of the
        players that it imitates.
        """
        if not is_told:
            self.check_untold()
        if self.game != game:
            raise NetworkError(f"the network {excerpt(self.name, 100)} plays {self.game}, not {game}")
        if features and not any(self.features == one or self.features.startswith(f"{one}-") for one in features):
            raise NetworkError(
                f"the network {excerpt(self.name, 100)} sees {self.features}; the player '{player}' takes networks of "
                f"{' or '.join(features)}: name another player, or none"
            )

    def check_untold(self) -> None:
        """Raise NetworkError with one sentence for a human network without a profile of the players."""
        if self.human:
            from tengen.engine.evaluators.katago.model import untold

            raise untold(self.human)

    def check_board(self, width: int, height: int) -> None:
        """Raises NetworkError with one sentence for a board that it is not made for."""
        if self.width not in (0, width) or self.height not in (0, height):
            mine = f"{self.width or 'any'}x{self.height or 'any'}"
            raise NetworkError(f"the network {excerpt(self.name, 100)} is for boards of {mine}, not {width}x{height}")


def is_onnx(path: Path | str) -> bool:
    """Whether a file is an ONNX network, by its name."""
    return Path(path).suffix.lower() == ONNX


def outline_of(path: Path | str) -> Outline:
    """Read the outline of a network file from its card or its beginning. Raises NetworkError with one sentence when
    that cannot be used; what is wrong further behind is seen when it is loaded."""
    file = Path(path).expanduser()
    if not is_onnx(file):
        from tengen.engine.evaluators.katago.model import glance

        header = glance(file).header
        return Outline(file.name, human=header.name if header.has_metadata else "")
    from tengen.engine.evaluators.backends.cards import read_card
    from tengen.engine.evaluators.backends.features import feature_set

    if not file.exists():
        raise NetworkError(f"cannot read the network '{file.name}': No such file or directory")
    card = read_card(file.with_suffix(".toml"))
    if not card.features:
        raise NetworkError(f"the network '{file.name}' plays no game: its card names no features")
    feature_set(card.game, card.features)
    height, width = card.shape[2:4] if len(card.shape) == 4 else (0, 0)
    return Outline(file.name, card.game, card.features, width, height)
