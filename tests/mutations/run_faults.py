"""Plants deliberate faults in a copy of the checkout, one by one, and says which of them the everyday tests catch.

    python tests/mutations/run_faults.py [NAME ...]        # all of faults.toml, or those

The copy lies in a temporary folder; the checkout is not touched. It has the tests of the room alone run, without shared
data and without slow tests or tests of time. A fault in the core builds what depends on its file, from the objects of
the checkout's editable build. The exit code is 0 if all are caught.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import time
import venv
from importlib.util import find_spec
from pathlib import Path

from faults import ROOT, Fault, faults
from native_build import Build

MARKS = "not slow and not timing"
LONGEST = 600.0
"""Seconds that the tests of one fault may take; an endless loop is caught, too."""
PACKAGES = ("engine", "protocols", "nets", "tools")


class Copy:
    """A copy of the checkout with an interpreter of its own, which finds tengen there and the rest where it was."""

    def __init__(self, folder: Path, build: Build) -> None:
        self.folder, self.build = folder, build
        listed = subprocess.run(
            ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
            cwd=ROOT, check=True, capture_output=True, text=True,
        ).stdout  # fmt: skip
        for name in filter(None, listed.split("\0")):
            if (ROOT / name).is_file():
                (folder / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(ROOT / name, folder / name)
        tree = folder / "build" / "tree" / "tengen"
        tree.mkdir(parents=True)
        for package in PACKAGES:
            (tree / package).symlink_to(folder / package)
        self.modules = {part: (tree.parent if part != "_core" else folder / "engine") / name
                        for part, name in build.modules.items()}  # fmt: skip
        for extra in build.folder.glob("_core.cpu"):
            shutil.copy2(extra, folder / "engine")
        self.restore()
        venv.create(folder / ".venv", with_pip=False)
        self.python = folder / ".venv" / "bin" / "python"
        packages = folder / ".venv" / "lib" / f"python{sysconfig.get_python_version()}" / "site-packages"
        # A path that a .pth file names is no place for .pth files of its own: the editable install stays out.
        (packages / "copy.pth").write_text(f"{tree.parent}\n{sysconfig.get_path('purelib')}\n", encoding="utf-8")

    def restore(self) -> None:
        """The modules of the core as the checkout has them."""
        for part, place in self.modules.items():
            shutil.copy2(self.build.folder / self.build.modules[part], place)

    def plant(self, fault: Fault) -> None:
        """Put a fault in. Raises ValueError, CalledProcessError."""
        path = self.folder / fault.file
        path.write_text(fault.planted((ROOT / fault.file).read_text(encoding="utf-8")), encoding="utf-8")
        if fault.is_native:
            with tempfile.TemporaryDirectory() as out:
                for part, module in self.build.changed(self.folder, fault.file, Path(out)).items():
                    shutil.copy2(module, self.modules[part])

    def heal(self, fault: Fault) -> None:
        """Take it out again."""
        shutil.copy2(ROOT / fault.file, self.folder / fault.file)
        if fault.is_native:
            self.restore()

    def failed(self, tests: tuple[str, ...]) -> str:
        """The first test that fails, "" where none does. Raises RuntimeError where the tests cannot be run."""
        environment = {name: text for name, text in os.environ.items() if name not in ("TENGEN_SHARED", "PYTHONPATH")}
        words = [str(self.python), "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", "-m", MARKS, *tests]
        try:
            done = subprocess.run(
                words, cwd=self.folder, env=environment, capture_output=True, text=True, timeout=LONGEST
            )
        except subprocess.TimeoutExpired:
            return "(no end)"
        if done.returncode == 0:
            return ""
        lines = [line for line in done.stdout.splitlines() if line.startswith(("FAILED ", "ERROR "))]
        if done.returncode not in (1, 2, -6, -11) or (not lines and done.returncode > 0):
            raise RuntimeError(done.stdout[-2000:] + done.stderr[-2000:])
        return lines[0].split(" - ")[0].split(maxsplit=1)[1] if lines else f"(signal {-done.returncode})"


def tried(copy: Copy, fault: Fault) -> str:
    """What became of a fault, in a word or with the test that caught it."""
    if fault.needs and find_spec(fault.needs) is None:
        return f"not tried: its tests need {fault.needs}"
    try:
        copy.plant(fault)
        return copy.failed(fault.tests) or "NOT CAUGHT"
    finally:
        copy.heal(fault)


def main() -> int:
    """Plant and report."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help="faults to plant (all)")
    parser.add_argument("--clean", action="store_true", help="first see that all the tests pass without a fault")
    values = parser.parse_args()
    known = {fault.name: fault for fault in faults()}
    if unknown := set(values.names) - set(known):
        parser.error(f"no fault is called {', '.join(sorted(unknown))}")
    chosen = [known[name] for name in values.names] or list(known.values())
    missed = 0
    with tempfile.TemporaryDirectory(prefix="tengen-faults-") as folder:
        copy = Copy(Path(folder).resolve(), Build(ROOT))
        if values.clean and (failed := copy.failed(tuple(sorted({test for fault in chosen for test in fault.tests})))):
            print(f"without any fault {failed} fails")
            return 1
        for fault in chosen:
            begun = time.monotonic()
            found = tried(copy, fault)
            missed += found == "NOT CAUGHT"
            print(f"{fault.name:32} {time.monotonic() - begun:5.0f} s  {found}", flush=True)
    print(f"{missed} of {len(chosen)} not caught")
    return int(missed > 0)


if __name__ == "__main__":
    sys.exit(main())
