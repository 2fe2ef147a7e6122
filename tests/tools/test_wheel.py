"""What a wheel holds: all of the product but the core's source and the laboratories, which are run from a checkout."""

from __future__ import annotations

import os
import platform
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from zipfile import ZipFile

import pytest
from checkout import ROOT, tracked
from source_tree import PARTS, imports, sources

LAB = "tools/lab"
ROOTS = ("__init__.py", "__main__.py", "py.typed")
"""Files of the package itself."""


def files_of(project: Path, folder: Path, **environment: str) -> set[str]:
    """The files of a wheel of a project, built without the compiled core."""
    pytest.importorskip("scikit_build_core")
    build = "import sys; from scikit_build_core.build import build_wheel; build_wheel(sys.argv[1], {'wheel.cmake': 'false'})"
    folder.mkdir(exist_ok=True)
    done = subprocess.run(
        [sys.executable, "-c", build, str(folder)],
        cwd=project, capture_output=True, text=True, env={**os.environ, **environment},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    (path,) = folder.glob("*.whl")
    with ZipFile(path) as wheel:
        return {name for name in wheel.namelist() if ".dist-info/" not in name}


@pytest.fixture(scope="module")
def held(tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    return files_of(ROOT, tmp_path_factory.mktemp("wheel"))


def test_a_wheel_holds_the_product(held: set[str]) -> None:
    """Every file of its parts: modules, weights and cards, presets, styles; no C++."""
    paths = [path.relative_to(ROOT) for path in tracked()]
    product = [path for path in paths if path.parts[0] in (*PARTS, *ROOTS) and path.suffix not in (".cpp", ".hpp")]
    assert held == {f"tengen/{path.as_posix()}" for path in product if not path.is_relative_to(LAB)}


def test_a_release_is_two_wheels(held: set[str], tmp_path: Path) -> None:
    """The engine without the networks that read photos, and those; together they are the product."""
    engine = files_of(ROOT, tmp_path / "engine", TENGEN_RELEASE="1")
    photo = files_of(ROOT / "packaging" / "photo", tmp_path / "photo")
    assert (
        photo == {name for name in held if Path(name).name.startswith("photo-") and "weights" in name}
        and len(photo) > 10
    )
    assert engine == held - photo


def test_a_wheel_holds_no_laboratory(held: set[str]) -> None:
    """`tools/lab/photo` and its `render`, which nothing of the product imports."""
    assert (ROOT / LAB / "photo" / "render").is_dir()
    assert not [name for name in held if {"lab", "render"} & set(Path(name).parts)]


def test_no_laboratory_is_imported() -> None:
    for path in sources():
        for line, target in imports(path):
            assert path.is_relative_to(ROOT / LAB) or not target.startswith("tengen.tools.lab"), (
                f"{path}:{line}: {target}"
            )


@pytest.mark.skipif(platform.machine() != "x86_64", reason="the instruction sets are those of x86-64")
@pytest.mark.parametrize("version", [(3, 11), (3, 12), (3, 14)])
def test_a_release_runs_on_every_machine(version: tuple[int, int], monkeypatch: pytest.MonkeyPatch) -> None:
    """It is never tuned for the machine that builds it, whatever the Python."""
    overrides = pytest.importorskip("scikit_build_core.settings.skbuild_overrides")
    reading = pytest.importorskip("scikit_build_core.settings.skbuild_read_settings")
    monkeypatch.setattr(overrides, "sys", SimpleNamespace(version_info=version, platform="linux", version=sys.version))
    monkeypatch.setenv("TENGEN_RELEASE", "1")
    settings = reading.SettingsReader.from_file(str(ROOT / "pyproject.toml")).settings
    assert settings.cmake.define["TENGEN_NATIVE"] == "OFF"
    assert settings.cmake.define["TENGEN_LEVELS"].split(";")[0] == "x86-64-v2"
