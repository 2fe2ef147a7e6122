"""Check the settings of a run, with one sentence for a wrong one, before anything is begun."""

from __future__ import annotations

from pathlib import Path

from tengen.engine.config import ConfigError, nearest
from tengen.engine.evaluators.backends.features import feature_set
from tengen.engine.games import get_game
from tengen.engine.games.naming import rules_named
from tengen.engine.sentence import excerpt
from tengen.tools.train.play.search import settings
from tengen.tools.train.settings.config import RunConfig
from tengen.tools.train.settings.kinds import KATAGO, KINDS, ONE_SIZE, features_of, kind_of


def check(config: RunConfig) -> None:
    """Raises ConfigError for games that cannot be played, and networks that cannot be built, by these settings."""
    settings(config)
    board, kind = config.board, kind_of(config)
    game = get_game(board.name)
    for size in board.sizes:
        try:
            game.check_size(size, size)
        except ValueError:
            raise ConfigError(f"board.size: {game.name} is not played on {size}x{size}") from None
    for name in board.rule_names:
        try:
            rules_named(game, name)
        except ValueError as error:
            raise ConfigError(f"board.rules: {error}") from None
    if config.teacher.file:
        _check_teacher(config)
    elif config.teacher.games:
        raise ConfigError(
            "teacher.games: only the games of a run with a teacher (--teacher FILE) begin with those of people"
        )
    if kind not in KINDS:
        raise ConfigError(f"there is no model.kind {excerpt(kind, 40)}{nearest(kind, KINDS)}")
    if kind in ONE_SIZE and len(board.sizes) > 1:
        raise ConfigError(f"a network of the kind {kind} is for boards of one size, not {excerpt(board.size, 60)}")
    try:
        feature_set(board.name, features_of(config))
    except ValueError as error:
        raise ConfigError(f"model.features: {error}") from None


def _check_teacher(config: RunConfig) -> None:
    """Raises ConfigError for a teacher that cannot teach this run."""
    from tengen.engine.evaluators.backends.base import NetworkError
    from tengen.engine.evaluators.katago import KATAGO_GAME
    from tengen.engine.evaluators.outline import outline_of

    path = Path(config.teacher.file)
    if config.board.name != KATAGO_GAME or kind_of(config) != KATAGO:
        raise ConfigError(f"teacher.file: a teacher is of {KATAGO_GAME} and for networks of the kind {KATAGO} alone")
    try:
        outline_of(path).check_untold()
    except (NetworkError, OSError) as error:
        raise ConfigError(f"teacher.file: {error}") from None
