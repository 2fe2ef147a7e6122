"""KataGo's configuration files (`name = value` a line, # begins a comment, @include FILE) and -override-config."""

from __future__ import annotations

from pathlib import Path

from tengen.engine import files
from tengen.engine.config import ConfigError

LARGEST = 1 << 20
DEPTH = 8
"""The depth of files that include files."""


def read(path: str, depth: int = 0) -> dict[str, str]:
    """The settings of a file; lines that are none are passed over. Raises ConfigError when it cannot be read."""
    try:
        text = files.read(path, LARGEST).decode("utf-8", "replace")
    except (OSError, ValueError) as error:
        raise ConfigError(f"cannot read the configuration file '{path}': {files.reason(error)}") from None
    found: dict[str, str] = {}
    for line in text.removeprefix("\ufeff").splitlines():
        line = line.partition("#")[0].strip()
        if line.startswith("@include") and depth < DEPTH:
            found |= read(str(Path(path).parent / line.removeprefix("@include").strip()), depth + 1)
            continue
        name, equals, value = line.partition("=")
        if equals and name.strip():
            found[name.strip()] = value.strip().strip('"')
    return found


def overrides(text: str) -> dict[str, str]:
    """The settings of -override-config: "name=value,name=value". Raises ConfigError."""
    found: dict[str, str] = {}
    for part in text.split(","):
        name, equals, value = part.partition("=")
        if not part.strip():
            continue
        if not equals:
            raise ConfigError(f"-override-config: '{part.strip()[:60]}' is not of the form name=value")
        found[name.strip()] = value.strip()
    return found
