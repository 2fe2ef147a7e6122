"""Every deliberate fault can still be planted. Whether tests catch them says `run_faults.py`."""

from __future__ import annotations

from collections import Counter

import pytest
from faults import ROOT, Fault, faults

MOST_AT_ONCE = 5
"""Faults in one folder: they are spread over the rooms."""


@pytest.mark.parametrize("fault", faults(), ids=lambda fault: fault.name)
def test_its_text_is_in_its_file_once(fault: Fault) -> None:
    changed = fault.planted((ROOT / fault.file).read_text(encoding="utf-8"))
    assert fault.old != fault.new and fault.new in changed
    assert fault.tests and all((ROOT / test).is_file() for test in fault.tests)


def test_there_are_enough_in_all_rooms() -> None:
    found = faults()
    assert len(found) >= 30 and len({fault.name for fault in found}) == len(found)
    folders = Counter(fault.file.rpartition("/")[0] for fault in found)
    assert max(folders.values()) <= MOST_AT_ONCE
    for part in ("engine/core", "engine/play", "engine/records", "protocols", "nets", "tools/match", "tools/review",
                 "tools/photo", "tools/train"):  # fmt: skip
        assert any(fault.file.startswith(part) for fault in found), part


def test_a_text_that_is_gone_or_comes_twice_is_told() -> None:
    fault = faults()[0]
    for text in ("", fault.old * 2):
        with pytest.raises(ValueError, match="write the fault anew"):
            fault.planted(text)
