"""How a front end that plays by a network ends: at once, whatever a back end has under way."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable


def serve(conversation: Callable[[], int]) -> int:
    """Hold a conversation and return its exit code, unless it began to load a network: what a back end has under way
    then cannot be ended, and nobody waits for it. A program that calls this and had begun before goes on."""
    from tengen.engine.evaluators.under_way import is_any_begun

    was_begun = is_any_begun()
    code = conversation()
    if is_any_begun() and not was_begun:
        sys.stderr.flush()
        os._exit(code)
    return code
