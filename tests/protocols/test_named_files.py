"""Files that users name, by the real command line: devices, pipes, folders, hostile content. One sentence, exit code 2."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import time
import zipfile
from pathlib import Path

import pytest

from tengen.engine import toml
from tengen.tools import cli
from tengen.tools.match.openings import source

SECONDS = 5
"""Of CPU time; what is refused costs a start of Python."""
GAME = "(;GM[1]SZ[9];B[cg];W[cd])"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One file of every kind that hurts."""
    folder = tmp_path_factory.mktemp("named")
    os.mkfifo(folder / "pipe")
    os.mkfifo(folder / "pipe.zip")
    (folder / "folder").mkdir()
    (folder / "run").mkdir()
    os.symlink("/dev/zero", folder / "run" / "run.toml")
    os.symlink("loop", folder / "loop")
    os.symlink("/dev/zero", folder / "link.toml")
    texts = {
        "game.sgf": GAME,
        "dots.toml": ".".join("a" * 50_000) + " = 1",
        "quoted.toml": " . ".join(['"a"', "'b'"] * 20_000) + " = 1",
        "many.toml": "".join(f"set.mcts.k{number} = 1\n" for number in range(50_000)),
        "header.toml": f"[{'.'.join('a' * 50_000)}]",
        "brackets.toml": "time = " + "[" * 100_000,
        "braces.toml": "time = " + "{a=" * 50_000,
        "line.toml": "name = '" + "x" * 200_000 + "'",
        "key.toml": "x" * 200_000 + " = 1",
        "zeros.toml": "#" + "\n" * 300_000,
        "digits.toml": "playouts = " + "9" * 100_000,
        "hex.toml": "playouts = 0x" + "f" * 100_000,
        "big.toml": "playouts = 1e300",
        "bigger.toml": "time = 1e400",
        "seed.toml": "seed = " + "9" * 300,
        "newline.toml": 'name = "a\\nb"',
        "keys.toml": '"a\\nb" = 1',
        "nul.toml": 'file_root = "a\\u0000b"',
        "log.toml": 'log = "a\\u0000b"',
        "nul_byte.toml": "time = 1\0",
    }
    for name, text in texts.items():
        (folder / name).write_text(text, "utf-8")
    (folder / "utf16.toml").write_bytes("time = 1\n".encode("utf-16"))
    return folder


def words_of(line: str) -> list[str]:
    """The words of a command line; NEWLINE is one."""
    return [word.replace("NEWLINE", "\n") for word in line.split()]


def tengen(folder: Path, line: str, send: str = "") -> subprocess.CompletedProcess[str]:
    """Run a command line in the folder. Bounded: a failure must not hurt the machine."""

    def bound() -> None:
        resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
        resource.setrlimit(resource.RLIMIT_AS, (6 << 30, 6 << 30))

    return subprocess.run(
        [sys.executable, "-m", "tengen.tools", *words_of(line)], cwd=folder, input=send, capture_output=True, text=True,
        timeout=60, preexec_fn=bound,
    )  # fmt: skip


REFUSED = """
$ gtp --config /dev/zero | cannot read the configuration file '/dev/zero': it is not a regular file
gtp --config link.toml | 'link.toml': it is not a regular file
gtp --config pipe | 'pipe': it is not a regular file
gtp --config folder | 'folder': Is a directory
gtp --config loop | 'loop': Too many levels of symbolic links
gtp --config none.toml | 'none.toml': No such file or directory
gtp --config game.sgf/x | Not a directory
gtp --config noneNEWLINEtoml | 'none?toml': No such file
gtp --config /proc/self/mem | '/proc/self/mem': Input/output error
gtp --config dots.toml | it has a key of more than 16 parts
gtp --config quoted.toml | it has a key of more than 16 parts
gtp --config header.toml | it has a key of more than 16 parts
gtp --config many.toml | it is larger than 256 kB
gtp --config zeros.toml | it is larger than 256 kB
gtp --config brackets.toml | it is nested too deeply
gtp --config braces.toml | it is nested too deeply
gtp --config utf16.toml | it is no text in UTF-8
gtp --config nul_byte.toml | it is not valid TOML
gtp --config line.toml | name: the text is longer than
gtp --config key.toml | unknown key in 'key.toml': 'xxxx
gtp --config digits.toml | it is not valid TOML
gtp --config hex.toml | playouts must be a whole number from 1 to 1099511627776, not what was given
gtp --config big.toml | playouts must be a whole number from 1 to 1099511627776, not '1
gtp --config bigger.toml | time must be a number from 0.001 to 1000000, not 'inf'
gtp --config seed.toml | seed must be a whole number from 0 to 9007199254740992, not '9
gtp --config newline.toml | name: 'a?b' holds a character that cannot be shown
gtp --config keys.toml | unknown key in 'keys.toml': 'a?b'
gtp --config nul.toml | file_root: 'a?b' holds a character that cannot be shown
gtp --config log.toml | log: 'a?b' holds a character that cannot be shown
gtp --name aNEWLINE?NEWLINE | name: 'a???' holds a character that cannot be shown
gtp --version-string aNEWLINEb | version_string: 'a?b' holds
gtp --rules aNEWLINEb | rules: 'a?b' holds
gtp --set aNEWLINEb | --set: 'a?b' is not of the form name=value
gtp --set mcts.c=1e400 | mcts.c must be a number from 0 to 10, not '1e400'
gtp --playouts 1e300 | playouts must be a whole number from 1 to 1099511627776, not '1e300'
gtp --oddNEWLINEoption | unknown option --odd?option
gtNEWLINEp | unknown command 'gt?p'
gtp --file-root none | file_root: there is no folder 'none'
gtp --file-root game.sgf | file_root: there is no folder 'game.sgf'
gtp --file-root noneNEWLINEthere | file_root: there is no folder 'none?there'
gomocup --file-root none | file_root: there is no folder 'none'
gtp --log none/log | cannot write the log 'none/log': No such file or directory
gtp --log folder | cannot write the log 'folder': Is a directory
$ gtp --log pipe | cannot write the log 'pipe': nobody reads this pipe
gtp --log loop | cannot write the log 'loop': Too many levels of symbolic links
gtp --log none/aNEWLINEb | cannot write the log 'none/a?b': No such file
$ gtp --log /dev/stdout | cannot write the log '/dev/stdout': it is the protocol's own output
gomocup --log pipe | cannot write the log 'pipe'
xboard --log pipe | cannot write the log 'pipe'
nboard --config /dev/zero | '/dev/zero': it is not a regular file
$ convert /dev/zero x.sgf | cannot read '/dev/zero': it is not a regular file
convert pipe x.sgf | cannot read 'pipe': it is not a regular file
convert folder x.sgf | cannot read 'folder': Is a directory
convert loop x.sgf | symbolic links
convert game.sgf pipe --format sgf | 'pipe': nobody reads this pipe
convert game.sgf /dev/full --format sgf | '/dev/full': No space left on device
convert game.sgf folder --format sgf | 'folder': Is a directory
convert game.sgf xNEWLINEy.pdf | 'x?y.pdf' has no extension of a record format
match --config /dev/zero --out x | cannot read '/dev/zero': it is not a regular file
match --config pipe --out x | cannot read 'pipe': it is not a regular file
match --config dots.toml --out x | it has a key of more than 16 parts
match --config brackets.toml --out x | it is nested too deeply
match --player uct --player rollout --openings pipe --out x | 'pipe': it is not a regular file
match --player uct --player rollout --openings pipe.zip --out x | 'pipe.zip': it is not a regular file
match --player uct --player rollout --openings /dev/zero --out x | '/dev/zero': it is not a regular file
match report run | cannot read 'run/run.toml': it is not a regular file
match report loop | 'loop' is no folder of a match
tune --options mcts.c --playouts 9 --config pipe --out x.toml | 'pipe': it is not a regular file
tune --options mcts.c --playouts 9 --state pipe --out x.toml | 'pipe': it is not a regular file
tune --options mcts.c --playouts 9 --state /dev/zero --out x.toml | '/dev/zero': it is not a regular file
tune --options mcts.c --playouts 9 --out pipe | cannot write 'pipe': its folder is missing, or it is no regular file
tune --options mcts.c --playouts 9 --out folder | cannot write 'folder'
tune --options mcts.c --playouts 9 --out x.toml --data loop | cannot write 'loop'
photo pipe | 'pipe': it is not a regular file
photo /dev/zero | '/dev/zero': it is not a regular file
"""


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="no devices")
@pytest.mark.parametrize("row", REFUSED.strip().splitlines())
def test_refused(folder: Path, row: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """A row that begins with $ by a process of its own, as a shell would; the others by the same entry point."""
    line, says = (part.strip(" $") for part in row.split(" | "))
    before, start = sorted(folder.iterdir()), time.process_time()
    if row.startswith("$"):
        done = tengen(folder, line, send="name\nquit\n")
        code, output, errors = done.returncode, done.stdout, done.stderr
    else:
        monkeypatch.chdir(folder)
        code = cli.main(words_of(line))
        output, errors = capsys.readouterr()
    assert says in errors and errors.count("\n") == 1 and len(errors) < 1200
    assert (code, output) == (2, "")
    assert sorted(folder.iterdir()) == before and time.process_time() - start < SECONDS


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no devices")
@pytest.mark.parametrize("command", ["gtp", "gomocup", "nboard", "xboard"])
def test_a_log_that_cannot_be_written_ends_and_the_engine_plays_on(folder: Path, command: str) -> None:
    send, answer = {
        "gtp": ("name\nboardsize 9\ngenmove b\nquit\n", "= Tengen\n\n=\n\n= "),
        "gomocup": ("START 15\nABOUT\nEND\n", "OK\nname="),
        "nboard": ("nboard 2\nping 3\nquit\n", "pong 3"),
        "xboard": ("protover 2\nping 3\nquit\n", "pong 3"),
    }[command]
    done = tengen(folder, f"{command} --net none --log /dev/full --playouts 10", send=send)
    assert done.stderr == "the log cannot be written and ends here: No space left on device\n"
    assert done.returncode == 0 and answer in done.stdout


def test_a_log_into_a_pipe_that_nobody_empties(folder: Path) -> None:
    """A reader that does not keep up costs the log, not the conversation."""
    reader = os.open(folder / "pipe", os.O_RDONLY | os.O_NONBLOCK)
    try:
        lines = 3000
        done = tengen(folder, "gtp --log pipe", send="known_command name\n" * lines + "quit\n")
    finally:
        os.close(reader)
    assert done.returncode == 0 and done.stdout.count("= true") == lines
    assert done.stderr.startswith("the log cannot be written and ends here: ") and done.stderr.count("\n") == 1


def test_logs_that_work(folder: Path) -> None:
    for log in ("/dev/null", "log of\x0ba game.txt", "/dev/stderr"):
        done = subprocess.run(
            [sys.executable, "-m", "tengen.tools", "gtp", "--log", log], cwd=folder, input="name\nquit\n",
            capture_output=True, text=True,
        )  # fmt: skip
        assert (done.returncode, done.stdout) == (0, "= Tengen\n\n=\n\n"), log
        assert ("> name" in done.stderr) is (log == "/dev/stderr")
    kept = (folder / "log of\x0ba game.txt").read_text().splitlines()
    assert [line for line in kept if line[0] == ">"] == ["> name", "> quit"]  # read ahead of the answers, perhaps
    assert [line for line in kept if line[0] == "<"] == ["< = Tengen", "< ", "< =", "< "]


@pytest.mark.parametrize("content", ["", "\ufefftime = 1\r\n", "[set.mcts]\nc = 0.5\n" + "# a.b.c.d\n" * 1000])
def test_configurations_that_work(folder: Path, content: str) -> None:
    (folder / "good.toml").write_text(content, "utf-8")
    done = tengen(folder, "gtp --config good.toml", send="name\nquit\n")
    assert (done.returncode, done.stdout, done.stderr) == (0, "= Tengen\n\n=\n\n", "")


def test_the_worst_of_small_files_costs_little() -> None:
    key = ".".join(f"k{number}" for number in range(16))
    start = time.process_time()
    toml.loads("".join(f"[t{number}.{key[:40]}]\nt{number}.{key[:44]} = 1\n" for number in range(2400)))
    with pytest.raises(ValueError, match="nested too deeply"):
        toml.loads("a = " + "[" * 250_000)
    with pytest.raises(ValueError, match="not valid TOML"):
        toml.loads('a = "' + r"\"x" * 80_000)
    assert time.process_time() - start < 2.5


def test_an_archive_that_swells(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A kilobyte that becomes a megabyte, with the limit made small."""
    monkeypatch.chdir(folder)
    monkeypatch.setattr(source, "LARGEST", 100_000)
    with zipfile.ZipFile("bomb.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("moves.txt", b"\n" * 1_000_000)
    assert cli.main(words_of("match --player uct --player rollout --openings bomb.zip --out x")) == 2
    assert "'moves.txt' is larger than 97 kB" in capsys.readouterr().err


def test_a_convert_of_no_input(folder: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tengen.tools", "convert", "-", "-", "--format", "sgf"], cwd=folder, capture_output=True,
        text=True, preexec_fn=lambda: os.close(0),
    )  # fmt: skip
    assert (done.returncode, done.stdout, done.stderr) == (2, "", "tengen: stdin is closed\n")


@pytest.mark.parametrize("line", ["convert game.sgf - --format sgf", "perft go 1", "--version"])
def test_an_output_that_is_full(folder: Path, line: str) -> None:
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "tengen.tools", *line.split()],
            cwd=folder,
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
        )
    assert (done.returncode, done.stderr) == (2, "tengen: No space left on device\n")
