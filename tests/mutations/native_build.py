"""Builds the core with a changed source, from the objects of the checkout's own editable build.

Only what includes the changed file is compiled; the rest is linked as it is. Needs the editable build of the checkout
(CMake's with Ninja, GCC or clang), and touches nothing in it.
"""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
from pathlib import Path

PARTS = ("_core", "_tengen_toy", "_tengen_units")
TAG = sys.implementation.cache_tag


class Build:
    """The editable build of a checkout. Raises FileNotFoundError where there is none."""

    def __init__(self, root: Path) -> None:
        self.root, self.folder = root, root / "build" / str(TAG)
        if not (self.folder / "build.ninja").exists():
            raise FileNotFoundError(f"{self.folder} holds no editable build: pip install -e '.[dev]' makes one")
        self.modules = {part: next(self.folder.glob(f"{part}.*.so")).name for part in PARTS}
        """Part -> file of the module."""

    def changed(self, copy: Path, file: str, out: Path) -> dict[str, Path]:
        """Build what depends on a file that is changed in a copy of the checkout, into a folder: part -> module. Raises
        CalledProcessError where it does not compile."""
        made: dict[str, str] = {}
        for row in self._compilations(file):
            target = out / row["output"]
            target.parent.mkdir(parents=True, exist_ok=True)
            words = shlex.split(row["command"])
            at = words.index("-o") + 1
            words[at] = str(target)
            for flag in ("-MT", "-MF"):
                words[words.index(flag) + 1] = f"{target}.d"
            subprocess.run(
                [self._moved(word, copy) for word in words], cwd=self.folder, check=True, capture_output=True
            )
            made[row["output"]] = str(target)
        return {part: self._linked(name, made, out) for part, name in self.modules.items() if self._uses(name, made)}

    def _moved(self, word: str, copy: Path) -> str:
        """A word of a command that reads the sources of the copy."""
        source = f"{self.root}/"
        if word.startswith(("-I", source)) and source in word and f"{self.folder}/" not in word and ".venv" not in word:
            return word.replace(source, f"{copy}/")
        return word

    def _compilations(self, file: str) -> list[dict[str, str]]:
        """The commands of the objects that are made of a file."""
        rows = json.loads(self._ninja("compdb"))
        of = set()
        for block in self._ninja("deps").split("\n\n"):
            output, _, rest = block.partition(": #deps")
            read = (line.strip() for line in rest.splitlines()[1:])
            if any((self.folder / name).resolve() == self.root / file for name in read if name.endswith(file)):
                of.add(output.strip())
        return [row for row in rows if row["output"] in of]

    def _uses(self, module: str, made: dict[str, str]) -> bool:
        return any(word in made for word in self._link_words(module))

    def _linked(self, module: str, made: dict[str, str], out: Path) -> Path:
        words = [made.get(word, word) for word in self._link_words(module)]
        words[words.index("-o") + 1] = str(out / module)
        subprocess.run(words, cwd=self.folder, check=True, capture_output=True)
        return out / module

    def _link_words(self, module: str) -> list[str]:
        command = self._ninja("commands", "-s", module).strip()
        return shlex.split(command.removeprefix(": &&").partition(" && ")[0])

    def _ninja(self, tool: str, *words: str) -> str:
        done = subprocess.run(
            ["ninja", "-t", tool, *words], cwd=self.folder, check=True, capture_output=True, text=True
        )
        return done.stdout
