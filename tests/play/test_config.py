"""Configuration: option beats file beats default; mistakes are named in one sentence."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tengen.engine.config import Config, ConfigError, default_threads, load, merge, parse_setting
from tengen.engine.play.player import Player

WRONG = [
    ({"thread": 2}, "unknown option 'thread' (did you mean 'threads'?)"),
    ({"mem-ory": 2}, "unknown option 'mem-ory' (did you mean 'memory'?)"),
    ({"playouts": "many"}, "playouts must be a whole number from 1 to 1099511627776, not 'many'"),
    ({"playouts": 1.5}, "playouts must be a whole number from 1 to 1099511627776, not '1.5'"),
    ({"playouts": 0}, "playouts must be a whole number from 1 to 1099511627776, not '0'"),
    ({"threads": True}, "threads must be a whole number from 1 to 256, not 'true'"),
    ({"time": "nan"}, "time must be a number from 0.001 to 1000000, not 'nan'"),
    ({"time": "inf"}, "time must be a number from 0.001 to 1000000, not 'inf'"),
    ({"time": -1}, "time must be a number from 0.001 to 1000000, not '-1'"),
    ({"level": 0}, "level must be a whole number from 1 to 100, not '0'"),
    ({"ponder": "perhaps"}, "ponder must be true or false, not 'perhaps'"),
    ({"game": 3}, "game must be text, not '3'"),
    ({"set": 3}, "set: '3' is not a table"),
    ({"set": 0xF**9999}, "set: what was given is not a table"),
    ({"set": {"mcts.c": [1]}}, "set: 'mcts.c' is neither a number nor true, false or a text"),
    ({"set": {"mcts": {"c": "a\nb"}}}, "'c': 'a?b' holds a character that cannot be shown"),
]


@pytest.mark.parametrize(("values", "says"), WRONG)
def test_mistakes_are_named(values: dict[str, Any], says: str) -> None:
    with pytest.raises(ConfigError) as error:
        merge(Config(), values)
    assert says in str(error.value) and "\n" not in str(error.value)


def test_text_gets_its_type() -> None:
    config = merge(Config(), {"threads": "2", "time": "0.5", "ponder": "on", "file-root": "x", "seed": None})
    assert (config.threads, config.time, config.ponder, config.file_root, config.seed) == (2, 0.5, True, "x", None)


def test_option_beats_file_beats_default(tmp_path: Path) -> None:
    path = tmp_path / "tengen.toml"
    path.write_text('threads = 3\nmemory = 64\n[set]\n"mcts.a" = 1\n[set.mcts]\nc = 1.5\n', encoding="utf-8")
    config = merge(load(path), {"threads": 1, "set": {"mcts.c": 0.5}})
    assert (config.threads, config.memory, config.resign) == (1, 64, 0.05)
    assert config.set == {"mcts.a": 1.0, "mcts.c": 0.5}


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("threads = ", "is not valid TOML"),
        ("tread = 1", "'tread' (did you mean 'threads'?)"),
        ("time = []", "time must be a number from 0.001 to 1000000, not '[]'"),
    ],
)
def test_a_bad_file(tmp_path: Path, text: str, says: str) -> None:
    path = tmp_path / "bad.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ConfigError) as error:
        load(path)
    assert says in str(error.value)


def test_a_missing_file(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="cannot read"):
        load(tmp_path / "none.toml")


def test_settings() -> None:
    assert parse_setting("mcts.c = 1.4") == ("mcts.c", "1.4")
    for text in ("mcts.c", "=1", ""):
        with pytest.raises(ConfigError):
            parse_setting(text)


def test_default_threads() -> None:
    assert default_threads() >= 1


@pytest.mark.parametrize(
    ("config", "says"),
    [
        (Config(game="goo"), "unknown game 'goo' (did you mean 'go'?)"),
        (Config(player="ucd"), "unknown player 'ucd' (did you mean 'uct'?)"),
        (Config(rules="japanesse"), "Unknown rules 'japanesse' (did you mean 'japanese'?)"),
        (Config(set={"mcts.d": 1.0}), "unknown option 'mcts.d' (did you mean 'mcts.c'?)"),
        (Config(set={"mcts.c": -1.0}), "mcts.c must be a number from 0 to 10, not '-1.0'"),
        (Config(level=11), "level: the player 'uct' of go has no level 11; it has 1, 2, 3, 4, 5, 6, 7, 8, 9, 10"),
    ],
)
def test_a_player_names_what_it_does_not_know(config: Config, says: str) -> None:
    with pytest.raises(ConfigError) as error:
        Player(config)
    assert says in str(error.value)
