"""The end of every front end: once its conversation is over, and never with a thread in native code.

A thread that comes back from native code while the interpreter ends is unwound through C++, which ends the process by
SIGABRT. A search, a report or a step of loading may still be under way when a conversation ends; nobody waits for it.
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable
from contextlib import suppress


def serve(conversation: Callable[[], int]) -> int:
    """Hold a conversation and return its exit code, or end the process by it where a thread that it began still lives.

    A program that calls this goes on after a conversation that left nothing behind.
    """
    from tengen.engine.evaluators.under_way import is_any_begun

    before, was_begun = set(threading.enumerate()), is_any_begun()
    code = conversation()
    if (is_any_begun() and not was_begun) or not before.issuperset(threading.enumerate()):
        for stream in (sys.stdout, sys.stderr):
            with suppress(OSError, ValueError, AttributeError):  # closed, or never opened
                stream.flush()
        os._exit(code)
    return code
