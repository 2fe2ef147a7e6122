"""Speaking KataGo's JSON analysis protocol in tests: to the real process, and what an answer has to look like."""

from __future__ import annotations

import json
import queue
import subprocess
import sys
import threading
from typing import Any

Json = dict[str, Any]
LINE_KEYS = {
    "move": str, "visits": int, "edgeVisits": int, "weight": float, "edgeWeight": float, "utility": float,
    "winrate": float, "scoreMean": float, "scoreLead": float, "scoreSelfplay": float, "scoreStdev": float,
    "prior": float, "lcb": float, "utilityLcb": float, "order": int, "playSelectionValue": float, "pv": list,
}  # fmt: skip
ROOT_KEYS = {
    "visits": int, "weight": float, "winrate": float, "scoreLead": float, "scoreSelfplay": float, "scoreStdev": float,
    "utility": float, "rawWinrate": float, "rawLead": float, "rawScoreSelfplay": float, "rawScoreSelfplayStdev": float,
    "rawNoResultProb": float, "rawStWrError": float, "rawStScoreError": float, "rawVarTimeLeft": float, "currentPlayer": str, "thisHash": str, "symHash": str,
}  # fmt: skip


def query(name: str = "q", size: int = 5, **fields: Any) -> Json:
    """A query of the empty board, with changes; a field that is None is left out."""
    whole = {"id": name, "moves": [], "rules": "tromp-taylor", "komi": 7.5, "boardXSize": size, "boardYSize": size,
             "maxVisits": 12, **fields}  # fmt: skip
    return {key: value for key, value in whole.items() if value is not None}


class Client:
    """`tengen analysis` in a process of its own."""

    def __init__(self, *options: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tengen.tools", "analysis", *options],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )  # fmt: skip
        self._lines: queue.Queue[bytes] = queue.Queue()
        self.stderr = b""
        self._threads = [threading.Thread(target=one, daemon=True) for one in (self._read, self._listen)]
        for thread in self._threads:
            thread.start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self._lines.put(line)
        self._lines.put(b"")

    def _listen(self) -> None:
        assert self.process.stderr is not None
        for line in self.process.stderr:
            self.stderr += line

    def send(self, *lines: Json | str | bytes) -> None:
        assert self.process.stdin is not None
        for line in lines:
            data = line if isinstance(line, bytes) else (line if isinstance(line, str) else json.dumps(line)).encode()
            self.process.stdin.write(data + b"\n")
        self.process.stdin.flush()

    def take(self, timeout: float = 60) -> Json:
        """The next answer; an empty one at the end."""
        line = self._lines.get(timeout=timeout)
        return json.loads(line) if line else {}

    def final(self, timeout: float = 60) -> Json:
        """The next answer that ends a query; reports before it are passed over."""
        while (found := self.take(timeout)).get("isDuringSearch"):
            pass
        return found

    def ask(self, *lines: Json | str | bytes) -> Json:
        self.send(*lines)
        return self.final()

    def leave(self) -> list[Json]:
        """Close stdin, and return what still comes."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        left = []
        while found := self.take():
            left.append(found)
        self.close()
        return left

    def close(self) -> int:
        """End it; its exit status."""
        assert self.process.stdin is not None
        if not self.process.stdin.closed:
            self.process.stdin.close()
        try:
            self.process.wait(20)
        finally:
            self.process.kill()
            self.process.wait()
            for thread in self._threads:
                thread.join(5)
        return self.process.returncode


def check(answer: Json, asked: Json) -> None:
    """Whether an answer has all that was asked for, of the right kind and within bounds, and nothing else."""
    cells = asked["boardXSize"] * asked["boardYSize"]
    wanted = {"id", "turnNumber", "isDuringSearch", "moveInfos", "rootInfo"}
    for field, key in (
        ("includeOwnership", "ownership"),
        ("includeOwnershipStdev", "ownershipStdev"),
        ("includePolicy", "policy"),
    ):
        wanted |= {key} if asked.get(field) else set()
    assert set(answer) == wanted and answer["id"] == asked["id"]
    assert isinstance(answer["turnNumber"], int) and isinstance(answer["isDuringSearch"], bool)
    _check_kinds(answer["rootInfo"], ROOT_KEYS)
    root = answer["rootInfo"]
    assert 0 <= root["winrate"] <= 1 and root["currentPlayer"] in "BW" and root["visits"] >= 1
    assert all(len(root[key]) == 32 and int(root[key], 16) >= 0 for key in ("thisHash", "symHash"))
    for order, line in enumerate(answer["moveInfos"]):
        _check_line(line, order, asked, cells)
    assert sum(line["visits"] for line in answer["moveInfos"]) <= root["visits"]
    _check_owners(answer, cells)
    if "policy" in answer:
        assert len(answer["policy"]) == cells + 1 and all(-1 == one or 0 <= one <= 1 for one in answer["policy"])
        assert abs(sum(one for one in answer["policy"] if one > 0) - 1) < 1e-5


def _check_line(line: Json, order: int, asked: Json, cells: int) -> None:
    more = {"pvVisits": list, "pvEdgeVisits": list} if asked.get("includePVVisits") else {}
    more |= {"noResultValue": float} if asked.get("includeNoResultValue") else {}
    more |= {"ownership": list} if asked.get("includeMovesOwnership") else {}
    more |= {"ownershipStdev": list} if asked.get("includeMovesOwnershipStdev") else {}
    _check_kinds(line, LINE_KEYS | more)
    assert (
        line["order"] == order and line["pv"][0] == line["move"] and all(isinstance(move, str) for move in line["pv"])
    )
    assert 0 <= line["winrate"] <= 1 and 0 <= line["prior"] <= 1 and line["scoreStdev"] >= 0
    assert line["scoreMean"] == line["scoreLead"] and len(line["pv"]) <= 1 + asked.get("analysisPVLen", 15)
    if "pvVisits" in line:
        assert len(line["pvVisits"]) == len(line["pv"]) and line["pvVisits"] == sorted(line["pvVisits"], reverse=True)
        assert line["pvVisits"][0] == line["visits"]
    if line["visits"]:
        _check_owners(line, cells)


def _check_owners(holder: Json, cells: int) -> None:
    for key, low in (("ownership", -1), ("ownershipStdev", 0)):
        if key in holder:
            assert len(holder[key]) == cells and all(low <= owner <= 1 for owner in holder[key])


def _check_kinds(found: Json, wanted: dict[str, type]) -> None:
    assert set(found) == set(wanted), set(found) ^ set(wanted)
    for key, kind in wanted.items():
        assert type(found[key]) is kind, (key, found[key])
