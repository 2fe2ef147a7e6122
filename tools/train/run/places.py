"""The folders of runs: in the user's folder of data, by name, or in a folder that is given."""

from __future__ import annotations

import os
import re
from pathlib import Path

from tengen.engine.evaluators.katago.finding import data_folder
from tengen.engine.sentence import excerpt
from tengen.tools.train.run.manifest import RunError
from tengen.tools.train.run.runs import exists

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")


def runs_folder() -> Path:
    """Return the folder of all named runs of this user."""
    return data_folder(Path.home(), os.environ) / "runs"


def folder_of(name: str | None, given: str | None, usual: str = "") -> tuple[str, Path]:
    """The name and the folder of a run: by the folder that is given, by its name, or by the usual name. Raises
    RunError for a name that cannot be one."""
    if given is not None:
        folder = Path(given).expanduser()
        return name or folder.resolve().name or "run", folder
    chosen = name or usual
    if not NAME.fullmatch(chosen):
        rule = "up to 64 letters, digits, '.', '_' and '-'"
        raise RunError(f"{excerpt(chosen, 60)} cannot be the name of a run: it has {rule}")
    return chosen, runs_folder() / chosen


def existing(word: str) -> Path:
    """The folder of a run that is there, by its name or its folder. Raises RunError with those that there are."""
    named = runs_folder() / word
    folder = named if NAME.fullmatch(word) and exists(named) else Path(word).expanduser()
    if exists(folder):
        return folder
    names = [path.name for path in all_runs()]
    hint = f"; there are {', '.join(names[:8])}" if names else "; there is none yet: 'tengen train go' begins one"
    raise RunError(f"there is no run {excerpt(word, 60)}{hint}")


def all_runs() -> list[Path]:
    """The folders of the named runs, by name."""
    home = runs_folder()
    return sorted(path for path in home.iterdir() if exists(path)) if home.is_dir() else []
