"""What a newcomer meets first: the package's root, the settings of formatters, the rule for tags."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from checkout import ROOT

import tengen
from tengen.engine.version import __version__


def test_the_root_offers_its_names() -> None:
    assert tengen.__version__ == __version__
    assert Path(str(tengen.__file__)) == ROOT / "__init__.py"
    for name in tengen.__all__:
        assert getattr(tengen, name) is not None, name
    assert set(tengen.__all__) <= set(dir(tengen))
    with pytest.raises(AttributeError, match="no attribute 'Plyer'"):
        _ = tengen.Plyer  # type: ignore[attr-defined]


def test_the_root_loads_nothing() -> None:
    code = "import tengen, sys; print([name for name in sys.modules if name.startswith(('tengen.', 'numpy'))])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout.strip() == "[]"


def test_the_package_is_the_command() -> None:
    done = subprocess.run([sys.executable, "-m", "tengen", "--version"], capture_output=True, text=True)
    assert done.stdout == f"tengen {__version__}\n" and not done.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="a shell script")
@pytest.mark.parametrize(
    ("tag", "version", "heading", "said"),
    [
        ("v1.2.3", "1.2.3", "## 1.2.3 (2026-11-26)", ""),
        ("v1.2.3", "1.2.3", "## 1.2.3 (unreleased)", "no section '## 1.2.3 (YYYY-MM-DD)'"),
        ("v1.2.4", "1.2.3", "## 1.2.3 (2026-11-26)", "the tag is v1.2.4, but engine/version.py says 1.2.3"),
        ("1.2.3", "1.2.3", "## 1.2.3 (2026-11-26)", "1.2.3 is no tag of a release"),
        ("v1.2.3-rc1", "1.2.3", "## 1.2.3 (2026-11-26)", "is no tag of a release"),
    ],
)
def test_a_tag_is_the_version_and_in_the_changelog(
    tag: str, version: str, heading: str, said: str, tmp_path: Path
) -> None:
    for folder in (".ci", "engine"):
        (tmp_path / folder).mkdir()
    shutil.copy2(ROOT / ".ci" / "tag", tmp_path / ".ci" / "tag")
    (tmp_path / "engine" / "version.py").write_text(f'__version__ = "{version}"\n')
    (tmp_path / "CHANGELOG.md").write_text(f"# Changelog\n\n{heading}\n")
    done = subprocess.run([str(tmp_path / ".ci" / "tag"), tag], capture_output=True, text=True)
    assert (done.returncode == 0) == (not said) and said in done.stderr


def test_the_formatters_are_pinned_where_they_are_run() -> None:
    """A version of a formatter lays code out its own way: `dev` pins both, and nothing else names a version."""
    pins = (ROOT / "pyproject.toml").read_text("utf-8")
    for program in ("ruff", "clang-format"):
        assert re.search(rf'"{program}>=[\d.]+,<[\d.]+"', pins), program
        for path in (".pre-commit-config.yaml", ".github/workflows/ci.yml", ".ci/format"):
            assert not re.search(rf"{program}[=~<>]+\d", (ROOT / path).read_text("utf-8")), path
