"""The game "scripted" for the tests that ask for it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from scripted import Scripted, registered


@pytest.fixture
def scripted() -> Iterator[type[Scripted]]:
    """The searches of scripted.py are registered as players of a game of that name."""
    with registered() as kind:
        yield kind
