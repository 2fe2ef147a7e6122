"""Work with networks in threads of their own: the end of the process waits for it, as a back end that is torn down
while it computes ends the process by a signal. Light, so that a front end may import it at its start."""

from __future__ import annotations

import atexit
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from concurrent.futures import Future

T = TypeVar("T")


def begun(work: Callable[[], T], name: str) -> Future[T]:
    """Work in a thread of its own. The end of the process waits for it and for what it begins, unless that leaves by
    `os._exit`."""
    from concurrent.futures import Future

    global _has_begun
    _has_begun = True
    future = Future[T]()
    _under_way.add(future)
    future.add_done_callback(_under_way.discard)

    def run() -> None:
        try:
            future.set_result(work())
        except BaseException as error:
            future.set_exception(error)

    threading.Thread(target=run, name=name, daemon=True).start()
    return future


def is_any_begun() -> bool:
    """Whether this process ever began to work with a network."""
    return _has_begun


def is_ending() -> bool:
    """Whether the process ends and only waits for running work."""
    return _is_ending


_under_way: set[Future[Any]] = set()
_has_begun = False
_is_ending = False


@atexit.register
def _end() -> None:
    global _is_ending
    _is_ending = True
    if _under_way:
        from concurrent.futures import wait

        while _under_way:  # what ends may have begun something first
            wait(list(_under_way))
