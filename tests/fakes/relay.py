"""A relay between a controller and an engine that delays every line of the engine: relay.py SECONDS COMMAND..."""

from __future__ import annotations

import os
import queue
import subprocess
import sys
import threading
import time


def main(seconds: float, command: list[str]) -> int:
    """Run the engine to its end; returns its exit code."""
    engine = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert engine.stdin and engine.stdout
    late: queue.Queue[tuple[float, bytes]] = queue.Queue()

    def send() -> None:
        while data := os.read(0, 1 << 16):
            engine.stdin.write(data)
            engine.stdin.flush()
        engine.stdin.close()

    def receive() -> None:
        for line in engine.stdout:
            late.put((time.monotonic() + seconds, line))
        late.put((0.0, b""))

    for work in (send, receive):
        threading.Thread(target=work, daemon=True).start()
    while (item := late.get())[1]:
        time.sleep(max(0.0, item[0] - time.monotonic()))
        os.write(1, item[1])
    return engine.wait()


if __name__ == "__main__":
    sys.exit(main(float(sys.argv[1]), sys.argv[2:]))
