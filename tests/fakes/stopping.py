"""Waiting for a stop token, which says nothing by itself."""

from __future__ import annotations

import math
import time

from tengen.engine._core import StopToken


def wait(stop: StopToken | None, seconds: float | None) -> bool:
    """Until it is stopped, or for so many seconds; whether it is."""
    end = math.inf if seconds is None else time.monotonic() + seconds
    while not (is_stopped := stop is not None and stop.is_stopped) and (left := end - time.monotonic()) > 0:
        time.sleep(min(left, 0.001))
    return is_stopped
