"""Each level beats the one below, measured in seeded and therefore repeatable games."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

from tengen.engine.config import Config
from tengen.engine.levels import LEVELS


def selfplay() -> ModuleType:
    spec = importlib.util.spec_from_file_location("selfplay", Path(__file__).parent / "selfplay.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_levels_search_more_and_stray_less() -> None:
    rows = [LEVELS[number] for number in range(1, 11)]
    for below, above in zip(rows, rows[1:], strict=False):
        assert above.playouts is None or (below.playouts or 0) < above.playouts
        assert above.margin <= below.margin


@pytest.mark.slow
@pytest.mark.parametrize("level", range(2, 7))
def test_a_level_beats_the_one_below(level: int) -> None:
    score = selfplay().play_match(Config(level=level), Config(level=level - 1), games=30)
    assert score > 0.5
