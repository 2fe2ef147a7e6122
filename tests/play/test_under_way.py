"""What is under way with a network when the process ends."""

from __future__ import annotations

import subprocess
import sys

BEGINNING_AT_THE_END = """
import sys, time
from tengen.engine.evaluators.under_way import begun, is_any_begun, is_ending
assert not is_any_begun()

def later():
    print("later", is_ending())

def first():
    while not is_ending():
        time.sleep(0.001)
    begun(lambda: (time.sleep(0.2), later()), "later")
    print("first")

begun(first, "first")
assert is_any_begun()
"""


def test_the_end_waits_for_what_is_begun_while_it_waits() -> None:
    """What was compiled ahead then was cut off, which ended the process by SIGABRT."""
    done = subprocess.run([sys.executable, "-c", BEGINNING_AT_THE_END], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout, done.stderr) == (0, "first\nlater True\n", "")


LEAVING = """
import time
from tengen.engine.evaluators.under_way import begun
from tengen.tools.leaving import serve
def conversation():
    begun(lambda: time.sleep(30), "network")
    return 3
serve(conversation)
"""


def test_a_front_end_leaves_at_once_whatever_it_began() -> None:
    """It waited where it had begun to prepare, but not yet to load."""
    done = subprocess.run([sys.executable, "-c", LEAVING], capture_output=True, text=True, timeout=20)
    assert (done.returncode, done.stderr) == (3, "")
