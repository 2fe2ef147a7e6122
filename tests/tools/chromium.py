"""A real Chromium for tests of the page, driven over pipes by its own debugging protocol. Skips where there is none."""

from __future__ import annotations

import base64
import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

PROGRAMS = ("chromium", "chromium-browser", "google-chrome", "chrome")
FLAGS = (
    "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
    "--disable-background-networking", "--disable-extensions", "--mute-audio", "--remote-debugging-pipe", "about:blank",
)  # fmt: skip
PIPES = """
import os, sys
os.dup2(int(sys.argv[1]), 60), os.dup2(int(sys.argv[2]), 61), os.dup2(60, 3), os.dup2(61, 4)
os.execv(sys.argv[3], sys.argv[3:])
"""
"""Begins a program whose descriptors 3 and 4 are pipes."""
PATIENCE = 90.0


class Browser:
    """One page of a headless browser, in a profile of its own."""

    def __init__(self, profile: Path, width: int = 1400, height: int = 900, *, is_dark: bool = False) -> None:
        program = next(filter(None, map(shutil.which, PROGRAMS)), None)
        if program is None or os.name != "posix":
            pytest.skip("there is no Chromium")
        down, self._out = os.pipe()
        self._in, up = os.pipe()
        self._process = subprocess.Popen(
            [sys.executable, "-c", PIPES, str(down), str(up), program, f"--user-data-dir={profile}", *FLAGS],
            pass_fds=(down, up), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        os.close(down)
        os.close(up)
        self._rest, self._number, self._session = b"", 0, ""
        self.console: list[str] = []
        """What the page complained of."""
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")
        self.resize(width, height)
        if is_dark:
            self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark"}])

    def resize(self, width: int, height: int) -> None:
        self.call(
            "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 500
        )

    def call(self, method: str, **values: Any) -> dict[str, Any]:
        """What a command answers."""
        self._number += 1
        message: dict[str, Any] = {"id": self._number, "method": method, "params": values}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._out, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._message()
            self._note(answer)
            if answer.get("id") == self._number:
                assert "error" not in answer, answer
                result: dict[str, Any] = answer["result"]
                return result

    def open(self, address: str) -> None:
        self.call("Page.navigate", url=address)
        self.until("document.readyState === 'complete'")

    def run(self, script: str) -> Any:
        """The value of an expression, which may be a promise."""
        found = self.call("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True)
        assert "exceptionDetails" not in found, found
        return found["result"].get("value")

    def until(self, script: str) -> Any:
        """The value of an expression, once it is true."""
        end = time.monotonic() + PATIENCE
        while not (value := self.run(script)):
            assert time.monotonic() < end, f"{script}\n{self.run('document.body.innerText')}\n{self.console}"
            time.sleep(0.1)
        return value

    def click(self, x: float, y: float) -> None:
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def press(self, key: str) -> None:
        code = {"Enter": 13, "ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40}.get(key, 0)
        text = {"text": "\r"} if key == "Enter" else {}
        self.call("Input.dispatchKeyEvent", type="keyDown", key=key, code=key, windowsVirtualKeyCode=code, **text)
        self.call("Input.dispatchKeyEvent", type="keyUp", key=key, code=key, windowsVirtualKeyCode=code)

    def choose_file(self, selector: str, path: Path) -> None:
        """What a person chooses in a file field."""
        found = self.call("Runtime.evaluate", expression=f"document.querySelector({json.dumps(selector)})")
        self.call("DOM.setFileInputFiles", files=[str(path)], objectId=found["result"]["objectId"])

    def picture(self, path: Path, *, is_whole: bool = True) -> None:
        """Write a screenshot, of all of the page or of what fits the window."""
        data = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=is_whole)["data"]
        path.write_bytes(base64.b64decode(data))

    def close(self) -> None:
        self._process.terminate()
        self._process.wait(20)
        os.close(self._out)
        os.close(self._in)

    def _message(self) -> dict[str, Any]:
        while b"\0" not in self._rest:
            data = os.read(self._in, 1 << 20)
            assert data, "the browser ended"
            self._rest += data
        line, _, self._rest = self._rest.partition(b"\0")
        message: dict[str, Any] = json.loads(line)
        return message

    def _note(self, message: dict[str, Any]) -> None:
        values = message.get("params", {})
        if message.get("method") == "Runtime.exceptionThrown":
            self.console.append(json.dumps(values["exceptionDetails"])[:600])
        if message.get("method") == "Log.entryAdded" and values["entry"]["level"] == "error":
            self.console.append(f"{values['entry']['text']} {values['entry'].get('url', '')}")
