"""A running `tengen web`, for tests that ask it over its addresses."""

from __future__ import annotations

import http.client
import json
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple


class Server(NamedTuple):
    """A running `tengen web`: its port, its key ("" without --lan) and its folder of games."""

    port: int
    key: str
    folder: Path

    def ask(
        self, method: str, path: str, body: bytes | dict[str, Any] | None = None, **headers: str
    ) -> tuple[int, dict[str, str], bytes]:
        """(code, headers, body) of an answer."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        data = json.dumps(body).encode() if isinstance(body, dict) else body
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        connection.request(method, path, data, named)
        answer = connection.getresponse()
        found = answer.status, {name.lower(): value for name, value in answer.getheaders()}, answer.read()
        connection.close()
        return found

    def post(self, path: str, body: bytes | dict[str, Any], **headers: str) -> dict[str, Any]:
        """The JSON of a request that is granted."""
        code, _, data = self.ask("POST", path, body, **headers)
        assert code == 200, data
        values: dict[str, Any] = json.loads(data)
        return values

    def until(self, table: str, key: str, value: object) -> dict[str, Any]:
        """A game, once that is so."""
        end = time.monotonic() + 60
        while True:
            view: dict[str, Any] = json.loads(self.ask("GET", f"/api/tables/{table}")[2])
            if view[key] == value:
                return view
            assert time.monotonic() < end, view
            time.sleep(0.05)


def running(folder: Path, *words: str) -> Iterator[Server]:
    """A server of its own, ended afterwards."""
    command = [
        sys.executable,
        "-u",
        "-m",
        "tengen.tools",
        "web",
        "--port",
        "0",
        "--games",
        str(folder),
        "--no-browser",
        *words,
    ]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, encoding="utf-8")
    assert process.stdout is not None
    line = process.stdout.readline()
    found = re.search(r"http://[\w.]+:(\d+)/(?:\?key=(\S+))?", line)
    assert found, line
    try:
        yield Server(int(found[1]), found[2] or "", folder)
    finally:
        process.terminate()
        process.wait(20)
