"""`atomic.write`: a file of ours is written whole or not at all."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tengen.engine import atomic


def test_a_file_is_replaced_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, synced, named = tmp_path / "a.bin", [], os.replace
    monkeypatch.setattr(os, "fsync", lambda file: synced.append(os.fstat(file).st_size))
    atomic.write(path, b"one")
    assert path.read_bytes() == b"one" and synced[0] == 3 and len(synced) <= 2

    def fail(old: str, new: Path) -> None:
        assert Path(old).read_bytes() == b"three" and Path(new) == path
        raise OSError("pulled the plug")

    monkeypatch.setattr(os, "replace", fail)
    with pytest.raises(OSError, match="plug"):
        atomic.write(path, b"three")
    assert path.read_bytes() == b"one" and os.listdir(tmp_path) == ["a.bin"], "a full disk gets its room back"
    monkeypatch.setattr(os, "replace", named)
    atomic.write(path, b"three")
    assert path.read_bytes() == b"three" and os.listdir(tmp_path) == ["a.bin"]
