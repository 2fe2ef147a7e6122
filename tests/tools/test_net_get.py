"""`tengen net get`: a network from a package index of this machine or from an address; what goes wrong is one sentence."""

from __future__ import annotations

import hashlib
import shutil
import zipfile
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest
from katago_files import file_of, network

from tengen.engine.evaluators.katago.finding import choose, find_networks
from tengen.tools import cli
from tengen.tools.net import getting
from tengen.tools.net.catalogue import OFFERED, Offered

DATA = file_of(network(("ordinary",), 8))
SHA256 = hashlib.sha256(DATA).hexdigest()
MEMBER = "katrain/models/tiny.bin.gz"
TINY = Offered("tiny", "for tests", "9.9.9", MEMBER, SHA256, len(DATA), 1000, 1.0)
Get = Callable[..., tuple[int, str, str]]


def wheel(folder: Path, data: bytes = DATA, member: str = MEMBER) -> None:
    """A package of that name in a folder that pip takes for an index."""
    folder.mkdir(exist_ok=True)
    about = "katrain-9.9.9.dist-info"
    with zipfile.ZipFile(folder / "katrain-9.9.9-py3-none-any.whl", "w") as archive:
        archive.writestr(member, data)
        archive.writestr(
            f"{about}/METADATA", "Metadata-Version: 2.1\nName: katrain\nVersion: 9.9.9\nRequires-Python: <3\n"
        )
        archive.writestr(
            f"{about}/WHEEL", "Wheel-Version: 1.0\nGenerator: x\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
        )
        archive.writestr(f"{about}/RECORD", "")


@pytest.fixture
def user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A user's folder of networks, and no index but `tmp_path / "index"`."""
    for name in ("XDG_DATA_HOME", "LOCALAPPDATA", "HOME"):
        monkeypatch.setenv(name, str(tmp_path / "home"))
    monkeypatch.delenv("TENGEN_NETWORKS", raising=False)
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path / "index"))
    monkeypatch.setattr(getting, "OFFERED", (TINY,))
    (tmp_path / "index").mkdir()
    return getting.folder()


@pytest.fixture
def get(capsys: pytest.CaptureFixture[str]) -> Get:
    def run(*words: str) -> tuple[int, str, str]:
        code = cli.main(["net", "get", *words])
        said = capsys.readouterr()
        return code, said.out, said.err

    return run


def test_one_command_brings_a_network_that_plays(user: Path, tmp_path: Path, get: Get) -> None:
    pytest.importorskip("openvino")
    wheel(tmp_path / "index")
    code, out, _ = get("TINY")
    assert code == 0 and (user / "tiny.bin.gz").read_bytes() == DATA
    assert "plays by it from now on" in out and "visits in a CPU-second" in out
    chosen = choose(find_networks())
    assert chosen is not None and chosen.path == user / "tiny.bin.gz"
    assert [path.name for path in user.iterdir()] == ["tiny.bin.gz"], "nothing else is left"
    code, out, _ = get("tiny")
    assert code == 0 and "is there already" in out


def test_what_can_be_had_is_listed(user: Path, get: Get) -> None:
    code, out, _ = get()
    assert code == 0 and "tiny" in out and "Licence: " in out and "--sha256" in out
    assert max(map(len, out.splitlines())) <= 100


def failed(user: Path, get: Get, *words: str) -> str:
    """The sentence of a call that brings nothing."""
    code, _, err = get(*words)
    lines = [line for line in err.splitlines() if not line.startswith("downloading")]
    assert code == 2 and len(lines) == 1, err
    assert not user.exists() or not list(user.iterdir())
    return lines[0]


def test_a_file_of_another_hash_is_not_kept(user: Path, tmp_path: Path, get: Get) -> None:
    wheel(tmp_path / "index", DATA[:-1] + b"x")
    assert "SHA-256 differs" in failed(user, get, "tiny")


def test_a_file_that_is_too_large_is_not_kept(user: Path, tmp_path: Path, get: Get) -> None:
    wheel(tmp_path / "index", DATA + b"x")
    assert "is larger than" in failed(user, get, "tiny")


def test_a_package_without_the_file(user: Path, tmp_path: Path, get: Get) -> None:
    wheel(tmp_path / "index", member="katrain/models/other.bin.gz")
    assert f"does not hold {MEMBER}" in failed(user, get, "tiny")


def test_no_index_can_be_reached(user: Path, get: Get) -> None:
    assert "katrain 9.9.9 could not be downloaded: 'No matching distribution found" in failed(user, get, "tiny")


def test_a_name_that_is_none(user: Path, get: Get) -> None:
    assert "there is no network 'tinny' to be had (did you mean 'tiny'?); there are tiny" in failed(user, get, "tinny")


def test_a_full_disk(user: Path, get: Get, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda path: SimpleNamespace(free=10))
    assert "free, and this needs" in failed(user, get, "tiny")


def test_a_disk_that_fills_up(user: Path, tmp_path: Path, get: Get, monkeypatch: pytest.MonkeyPatch) -> None:
    wheel(tmp_path / "index")

    def full(*_: object) -> str:
        raise OSError(28, "No space left on device", "x")

    monkeypatch.setattr(getting, "_copy", full)
    assert "No space left on device" in failed(user, get, "tiny")


def test_an_interrupt_leaves_nothing(user: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    wheel(tmp_path / "index")

    def interrupted(*_: object) -> str:
        raise KeyboardInterrupt

    monkeypatch.setattr(getting, "_copy", interrupted)
    with pytest.raises(KeyboardInterrupt):
        getting.get("tiny")
    assert not list(user.iterdir())


def test_a_network_from_an_address(user: Path, tmp_path: Path, get: Get) -> None:
    pytest.importorskip("openvino")
    (tmp_path / "mine.bin.gz").write_bytes(DATA)
    code, out, _ = get("--url", (tmp_path / "mine.bin.gz").as_uri(), "--sha256", SHA256.upper())
    assert code == 0 and (user / "mine.bin.gz").read_bytes() == DATA, out


ADDRESSES = [
    (("--url", "file:///nowhere/a.bin.gz", "--sha256", SHA256), "could not be fetched"),
    (("--url", "ftp://x/a.bin.gz", "--sha256", SHA256), "an address begins with https://"),
    (("--url", "https://x/a.exe", "--sha256", SHA256), "the address names no network"),
    (("--url", "https://x/a.bin.gz", "--sha256", "12"), "64 hexadecimal digits"),
    (("--url", "https://x/a.bin.gz"), "--url and --sha256 together"),
    (("tiny", "--url", "https://x/a.bin.gz", "--sha256", SHA256), "takes a name, or"),
]


@pytest.mark.parametrize(("words", "sentence"), ADDRESSES, ids=[sentence for _, sentence in ADDRESSES])
def test_addresses_that_bring_nothing(user: Path, get: Get, words: tuple[str, ...], sentence: str) -> None:
    assert sentence in failed(user, get, *words)


def test_an_address_with_another_file(user: Path, tmp_path: Path, get: Get) -> None:
    (tmp_path / "mine.bin.gz").write_bytes(DATA + b"x")
    said = failed(user, get, "--url", (tmp_path / "mine.bin.gz").as_uri(), "--sha256", SHA256)
    assert "is not the file of that SHA-256" in said


def test_the_catalogue_is_whole() -> None:
    assert len({one.name for one in OFFERED}) == len(OFFERED)
    for one in OFFERED:
        assert len(one.sha256) == 64 and one.size < one.download < 1 << 28 and one.member.endswith(one.file)
