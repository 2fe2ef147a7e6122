"""The shape of the house, checked on the source text: imports go downward, files stay small, nothing is unpickled."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

import pytest
from checkout import ROOT, tracked
from source_tree import circle, imports, module_name, modules, sources, tree

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
    "tengen.engine.human_choice": ("values", 1),
    "tengen.engine.play.clock": ("values", 1),
    "tengen.engine.play.time_control": ("values", 1),
    "tengen.engine.toml": ("values", 1),
    "tengen.engine.atomic": ("values", 1),
    "tengen.engine.files": ("values", 1),
    "tengen.engine.npz": ("values", 1),
    "tengen.engine.system": ("values", 1),
    "tengen.engine.sentence": ("values", 1),
    "tengen.engine.games": ("games", 2),
    "tengen.engine.records": ("games", 2),
    "tengen.engine.evaluators": ("evaluators", 3),
    "tengen.engine.search": ("search", 4),
    "tengen.engine": ("player", 5),
    "tengen.protocols": ("protocols", 6),
    "tengen.nets": ("nets", 6),
    "tengen.tools": ("tools", 7),
    "tengen": ("entrance", 8),
}
# Loaded on use only, so that `tengen gtp` answers before any of them is in memory.
ON_USE = set("numpy torch cv2 openvino onnxruntime ray chess matplotlib rich gymnasium PIL pillow_heif onnx".split())
ON_USE |= {"prompt_toolkit", "starlette", "uvicorn", "segno"}
OPTIONAL = (
    "tengen.tools.photo", "tengen.tools.lab", "tengen.tools.train", "tengen.tools.go_env", "tengen.nets",
    "tengen.tools.play.screen", "tengen.tools.web",
)  # fmt: skip
"""Modules of the extras: they import at once what they are about; nothing of the base imports them at once."""
UNPICKLERS = set("pickle cPickle dill cloudpickle joblib shelve marshal".split())
TEXT_SUFFIXES = {"", *".py .pyi .cpp .hpp .toml .md .txt .cmake .yml .json .svg".split()}


def layer(module: str) -> tuple[str, int]:
    """The layer of a module and its height."""
    prefixes = [prefix for prefix in LAYERS if module == prefix or module.startswith(prefix + ".")]
    return LAYERS[max(prefixes, key=len)]


def test_imports_go_downward() -> None:
    for path in sources():
        own_name, own_height = layer(module_name(path))
        for line, target in imports(path):
            if not target.startswith("tengen."):
                continue
            name, height = layer(target)
            assert height < own_height or name == own_name, f"{path}:{line}: {own_name} imports {target} ({name})"


def test_no_module_is_in_a_circle() -> None:
    graph = modules()
    assert sum(map(len, graph.values())) > 500 and not circle(graph)


def test_a_circle_would_be_found() -> None:
    graph = {**modules(), "tengen.engine.info": {"tengen.tools.match.command"}}
    assert "tengen.engine.info" in circle(graph)


def test_heavy_packages_are_imported_on_use() -> None:
    """Also by the other commands of the base, which run without them; tests/protocols/test_startup.py looks at what is loaded."""
    for path in sources():
        if module_name(path).startswith(OPTIONAL):
            continue
        for line, target in imports(path, module_level_only=True):
            assert target.split(".")[0] not in ON_USE, f"{path}:{line}: {target} at module level"
            assert not target.startswith(OPTIONAL), f"{path}:{line}: {target} at module level"


def test_nothing_is_unpickled() -> None:
    for path in sources():
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


# What Windows lacks, and files that only Linux has.
POSIX_MODULES = set("fcntl grp posix pty pwd resource syslog termios tty".split())
POSIX_NAMES = re.compile(
    r"""\bos\.(fork|kill(pg)?\(|[gs]etpg\w*|[gs]ete?[ug]id|setsid|sysconf|uname|mkfifo|chown|wait(pid)?\(|nice|getloadavg)\b"""
    r"""|\bos\.sched_|\bsignal\.(SIG(HUP|KILL|STOP|CONT|CHLD|USR\d|PIPE|ALRM)|alarm|setitimer|pthread_\w+|sigwait)\b"""
    r"""|\b(preexec_fn|start_new_session)="""
)
SYSTEM_ROOMS = ("engine/system.py", "tools/engines/")
"""The file that knows what systems lack, and the room of engines' processes."""


def test_what_windows_lacks_has_one_room() -> None:
    for path in sources():
        if _name(path).startswith(SYSTEM_ROOMS):
            continue
        for line, target in imports(path):
            assert target.split(".")[0] not in POSIX_MODULES, f"{path}:{line}: {target}"
        found = POSIX_NAMES.search(path.read_text("utf-8"))
        assert found is None, f"{path}: {found and found[0]}"


def test_evaluators_name_no_search() -> None:
    """The search side says what searches a game; an evaluator only answers."""
    for path in sorted((ROOT / "engine" / "evaluators").rglob("*.py")):
        assert not re.search(r"Mcts|engine\.search|SEARCHES", path.read_text("utf-8")), path


def test_only_bindings_know_python() -> None:
    for path in (ROOT / "engine" / "core").rglob("*.[ch]pp"):
        if "bind" not in path.relative_to(ROOT).parts:
            assert not re.search(r"nanobind|Python\.h", path.read_text("utf-8")), path


def test_functions_have_few_parameters() -> None:
    """At most eight, `self` apart: more is a value of its own (`MoveRequest`)."""
    for path in sources():
        for node in ast.walk(tree(path)):
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                taken = node.args
                names = [one.arg for one in (*taken.posonlyargs, *taken.args, *taken.kwonlyargs)]
                names += [one.arg for one in (taken.vararg, taken.kwarg) if one is not None]
                assert len([name for name in names if name not in ("self", "cls")]) <= 8, f"{path}: {node.name}"


# Rooms of tools/match and of tools/train, and their heights: a room imports itself and lower ones.
MATCH_ROOMS = {
    "spec": 0, "statistics": 0, "adjudication": 0, "clock": 1, "notation": 1, "drivers": 2, "openings": 2, "game": 3,
    "settings": 3, "run": 4, "report": 5, "own": 5, "command": 6, "tournament": 7, "rate": 7,
}  # fmt: skip
TRAIN_ROOMS = {
    "settings": 0, "data": 0, "records": 1, "teaching": 1, "chess": 2, "gomoku": 2, "play": 3, "run": 4, "show": 5,
    "fitting": 6, "commands": 7,
}  # fmt: skip
A_ROOM = 12
"""Files of a room of tools/train at most."""


@pytest.mark.parametrize(("part", "heights"), [("match", MATCH_ROOMS), ("train", TRAIN_ROOMS)])
def test_rooms_import_downward(part: str, heights: dict[str, int]) -> None:
    """Every file is in a room of its list, and no room stands on a higher one."""
    folder, prefix = ROOT / "tools" / part, f"tengen.tools.{part}."
    for path in folder.rglob("*.py"):
        if path == folder / "__init__.py":
            continue
        own = module_name(path).removeprefix(prefix).split(".")[0]
        assert own in heights, path
        for line, target in imports(path):
            if target.startswith(prefix):
                room = target.removeprefix(prefix).split(".")[0]
                assert room == own or heights[room] < heights[own], f"{path}:{line}: {own} imports {target}"


def test_rooms_of_train_are_small() -> None:
    for room in TRAIN_ROOMS:
        files = list((ROOT / "tools" / "train" / room).rglob("*.py"))
        assert 1 < len(files) <= A_ROOM, f"{room}: {len(files)}"


def test_a_driven_engine_knows_neither_matches_nor_examinations() -> None:
    """tools/engines knows neither matches nor examinations; who examines knows no match."""
    for folder, strangers in (("engines", ("match", "compliance")), ("compliance", ("match",))):
        for path in (ROOT / "tools" / folder).rglob("*.py"):
            for line, target in imports(path):
                assert not target.startswith(tuple(f"tengen.tools.{name}" for name in strangers)), f"{path}:{line}"


# Game -> its own rooms, where it may be named: its rules and facts, its protocol, its records, what only it has.
OWN_ROOMS = {
    "go": r"engine/(games|play)/go/|engine/evaluators/katago/|protocols/analysis/|tools/analysis"
          r"|tools/train/(teaching/|play/taught)|tools/peers/go",
    "gomoku": r"engine/games/gomoku/|engine/records/psq|nets/(line_)|tools/(match/drivers/)?gomocup|tools/peers/gomoku"
              r"|tools/train/gomoku/",
    "reversi": r"engine/games/reversi/|engine/records/(othello|ggf)|tools/(match/drivers/)?nboard|tools/solve/"
               r"|tools/train/(\w+/)?probcut|tools/peers/reversi",
    "chess": r"engine/games/chess/|engine/records/(pgn|epd)|nets/(chess_)|protocols/(chess|uci|xboard)/|tools/(match/drivers/)?(uci|xboard)"
             r"|tools/bench_chess|tools/peers/chess|tools/review/chess|tools/train/(chess/|records/pgn|fitting/chess|commands/(chess|label))",
}  # fmt: skip
A_WORD_OF_PROTOCOLS = {"go": r"(protocols|tools/match/drivers|tools/compliance)/(uci|nboard|xboard|chess)|tools/doctor"}
"""Files where a game's name is a command of UCI, XBoard and NBoard."""
OF_PHOTOS = r"tools/(lab/)?photo/"


@pytest.mark.parametrize("game", OWN_ROOMS)
def test_few_files_name_a_game(game: str) -> None:
    """What serves a game is a fact of the game (`Parts`, `Conventions`): outside of its own rooms, and of those of
    pictures, at most six files name it, the registry among them."""
    left_out = re.compile("|".join(filter(None, (OWN_ROOMS[game], A_WORD_OF_PROTOCOLS.get(game), OF_PHOTOS))))
    naming = [name for path in sources() if game in _texts(path) and not left_out.match(name := _name(path))]
    assert len(naming) <= 6, naming


def _name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@cache
def _texts(path: Path) -> frozenset[str]:
    """The texts that a file holds, each whole, however they are quoted."""
    texts = {node.value for node in ast.walk(tree(path)) if isinstance(node, ast.Constant)}
    return frozenset(text.decode("latin-1") if isinstance(text, bytes) else str(text) for text in texts)


def test_the_letters_of_columns_have_one_home() -> None:
    """Those that skip the I; the referee and the compliance tool keep theirs apart from the engine that they look at."""
    own = [path.relative_to(ROOT).as_posix() for path in sources() if "ABCDEFGHJK" in path.read_text("utf-8")]
    assert set(own) <= {"engine/games/vertex.py", "tools/match/notation.py", "tools/compliance/gtp.py"}, own


def test_no_file_over_400_lines() -> None:
    for path in tracked():
        if path.suffix in (".py", ".cpp", ".hpp", ".cmake", ".js", ".sh") or path.name == "run":
            count = len(path.read_text("utf-8").splitlines())
            assert count <= 400, f"{path}: {count} lines"


def test_what_tests_share_is_in_helpers() -> None:
    """No file of tests imports another one: who reads a test need not read the others."""
    for path in sorted((ROOT / "tests").rglob("*.py")):
        imported = re.search(r"^\s*(from|import) test_\w+", path.read_text("utf-8"), re.MULTILINE)
        assert imported is None, f"{path}: {imported and imported[0]}"


def test_short_waits_are_measured_by_tests_of_time() -> None:
    """A starved process loses half a second at any point, so that an upper bound of wall time below two seconds
    belongs in a test marked `timing`, which runs alone and gets three attempts."""
    short = re.compile(r"(?:monotonic|perf_counter)\(\) - \w+ <=? (?:[01](?:\.\d+)?)(?![\d.])")
    for path in sorted((ROOT / "tests").rglob("test_*.py")):
        text = path.read_text("utf-8")
        if not short.search(text) or re.search(r"^pytestmark = .*\btiming\b", text, re.MULTILINE):
            continue
        for test in ast.walk(ast.parse(text)):
            if isinstance(test, ast.FunctionDef) and not any(
                "timing" in ast.unparse(mark) for mark in test.decorator_list
            ):
                assert not short.search(ast.unparse(test)), f"{path.name}: {test.name}"


def test_no_machine_path_or_secret() -> None:
    machine = re.compile(r"(?<![\w.])/" + r"(work|root|home/\w+|tmp/\w+)" + "/" + "|" + "BEGIN [A-Z ]*PRIVATE" + " KEY")
    secret = re.compile(r"(?i)\b(api_?key|secret|passw" + r"ord|access_token)\s*[=:]\s*['\"][^'\"]{8,}")
    for path in tracked():
        if path.suffix in TEXT_SUFFIXES and path.name != Path(__file__).name:
            text = path.read_text("utf-8", errors="replace")
            for pattern in (machine, secret):
                assert not pattern.search(text), f"{path}: {pattern.search(text)}"
