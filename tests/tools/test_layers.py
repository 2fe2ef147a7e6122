"""The shape of the house, checked on the source text: imports go downward, files stay small, nothing is unpickled."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest
from checkout import ROOT, tracked

PARTS = ("engine", "protocols", "nets", "tools")

# Module prefix -> (layer, height). A module imports its own layer and lower ones. The longest prefix decides.
LAYERS = {
    "tengen.engine._core": ("core", 0),
    "tengen.engine.core": ("core", 0),
    "tengen.engine.version": ("values", 1),
    "tengen.engine.cpu": ("values", 1),
    "tengen.engine.extras": ("values", 1),
    "tengen.engine.limits": ("values", 1),
    "tengen.engine.info": ("values", 1),
    "tengen.engine.options": ("values", 1),
    "tengen.engine.config": ("values", 1),
    "tengen.engine.play.clock": ("values", 1),
    "tengen.engine.play.time_control": ("values", 1),
    "tengen.engine.toml": ("values", 1),
    "tengen.engine.files": ("values", 1),
    "tengen.engine.sentence": ("values", 1),
    "tengen.engine.games": ("games", 2),
    "tengen.engine.records": ("games", 2),
    "tengen.engine.evaluators": ("evaluators", 3),
    "tengen.engine.search": ("search", 4),
    "tengen.engine": ("player", 5),
    "tengen.protocols": ("protocols", 6),
    "tengen.nets": ("nets", 6),
    "tengen.tools": ("tools", 7),
}
# Loaded on use only, so that `tengen gtp` answers before any of them is in memory.
ON_USE = set("numpy torch cv2 openvino onnxruntime ray chess matplotlib rich gymnasium PIL pillow_heif onnx".split())
OPTIONAL = ("tengen.tools.photo", "tengen.tools.go_env", "tengen.nets")
"""Modules of the extras: they import at once what they are about; nothing of the base imports them at once."""
UNPICKLERS = set("pickle cPickle dill cloudpickle joblib shelve marshal".split())
TEXT_SUFFIXES = {"", *".py .pyi .cpp .hpp .toml .md .txt .cmake .yml .json .svg".split()}


def sources() -> list[Path]:
    """Every Python file of the product."""
    return sorted(path for part in PARTS for path in (ROOT / part).rglob("*.py"))


def module_name(path: Path) -> str:
    """The name a file is imported by."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(("tengen", *(parts[:-1] if parts[-1] == "__init__" else parts)))


def layer(module: str) -> tuple[str, int]:
    """The layer of a module and its height."""
    prefixes = [prefix for prefix in LAYERS if module == prefix or module.startswith(prefix + ".")]
    return LAYERS[max(prefixes, key=len)]


def imports(path: Path, *, module_level_only: bool = False) -> list[tuple[int, str]]:
    """(line, absolute module) of the imports in a file; those for type checkers alone do not count."""
    package = module_name(path) if path.name == "__init__.py" else module_name(path).rpartition(".")[0]
    found: list[tuple[int, str]] = []

    def visit(node: ast.AST) -> None:
        if isinstance(node, ast.If) and ast.unparse(node.test).endswith("TYPE_CHECKING"):
            return
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)) and module_level_only:
            return
        if isinstance(node, ast.Import):
            found.extend((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                base = f"{'.'.join(package.split('.')[: 1 - node.level or None])}.{base}".rstrip(".")
            found.extend((node.lineno, f"{base}.{alias.name}") for alias in node.names)
        for child in ast.iter_child_nodes(node):
            visit(child)

    visit(ast.parse(path.read_text("utf-8")))
    return found


@pytest.mark.parametrize("path", sources(), ids=module_name)
def test_imports_go_downward(path: Path) -> None:
    own_name, own_height = layer(module_name(path))
    for line, target in imports(path):
        if not target.startswith("tengen."):
            continue
        name, height = layer(target)
        assert height < own_height or name == own_name, f"{path}:{line}: {own_name} imports {target} ({name})"


@pytest.mark.parametrize("path", sources(), ids=module_name)
def test_heavy_packages_are_imported_on_use(path: Path) -> None:
    """Also by the other commands of the base, which run without them; tests/protocols/test_startup.py looks at what is loaded."""
    if module_name(path).startswith(OPTIONAL):
        return
    for line, target in imports(path, module_level_only=True):
        assert target.split(".")[0] not in ON_USE, f"{path}:{line}: {target} at module level"
        assert not target.startswith(OPTIONAL), f"{path}:{line}: {target} at module level"


@pytest.mark.parametrize("path", sources(), ids=module_name)
def test_nothing_is_unpickled(path: Path) -> None:
    for line, target in imports(path):
        assert target.split(".")[0] not in UNPICKLERS, f"{path}:{line}: {target}"
    text = path.read_text("utf-8")
    assert not re.search(r"allow_pickle\s*=\s*True|\btorch\.load\(", text), path


def test_only_front_ends_touch_the_process() -> None:
    """stdin, stdout and argv belong to tools and protocols."""
    for path in sources():
        if path.is_relative_to(ROOT / "engine"):
            text = path.read_text("utf-8")
            assert not re.search(r"\bsys\.(stdin|stdout|argv)\b|^\s*print\(|\binput\(", text, re.MULTILINE), path


def test_only_bindings_know_python() -> None:
    for path in (ROOT / "engine" / "core").rglob("*.[ch]pp"):
        if "bind" not in path.relative_to(ROOT).parts:
            assert not re.search(r"nanobind|Python\.h", path.read_text("utf-8")), path


@pytest.mark.parametrize("path", sources(), ids=module_name)
def test_functions_have_few_parameters(path: Path) -> None:
    """At most eight in engine and protocols, `self` apart: more is a value of its own (`MoveRequest`)."""
    if not path.is_relative_to(ROOT / "engine") and not path.is_relative_to(ROOT / "protocols"):
        return
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            taken = node.args
            names = [one.arg for one in (*taken.posonlyargs, *taken.args, *taken.kwonlyargs)]
            names += [one.arg for one in (taken.vararg, taken.kwarg) if one is not None]
            assert len([name for name in names if name not in ("self", "cls")]) <= 8, f"{path}: {node.name}"


OWN_ROOMS = re.compile(r"engine/games/reversi|engine/records/(othello|ggf)|tools/(match/drivers/)?nboard|tools/photo/")


def test_few_files_name_a_game() -> None:
    """A new game touches the registries and what shows it to people: outside of its own rooms at most six files."""
    naming = [path.relative_to(ROOT).as_posix() for path in sources() if '"reversi"' in path.read_text("utf-8")]
    assert len([path for path in naming if not OWN_ROOMS.match(path)]) <= 6, naming


def test_no_file_over_500_lines() -> None:
    for path in tracked():
        if path.suffix in (".py", ".cpp", ".hpp", ".cmake", ".js", ".sh") or path.name == "run":
            count = len(path.read_text("utf-8").splitlines())
            assert count <= 500, f"{path}: {count} lines"


def test_no_machine_path_or_secret() -> None:
    machine = re.compile(r"(?<![\w.])/" + r"(work|root|home/\w+|tmp/\w+)" + "/" + "|" + "BEGIN [A-Z ]*PRIVATE" + " KEY")
    secret = re.compile(r"(?i)\b(api_?key|secret|passw" + r"ord|access_token)\s*[=:]\s*['\"][^'\"]{8,}")
    for path in tracked():
        if path.suffix in TEXT_SUFFIXES and path.name != Path(__file__).name:
            text = path.read_text("utf-8", errors="replace")
            for pattern in (machine, secret):
                assert not pattern.search(text), f"{path}: {pattern.search(text)}"
