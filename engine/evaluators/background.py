"""Networks that load in the background: found and loaded in threads on the first request, one for all players. Light,
so that a front end may import it at its start."""

from __future__ import annotations

import atexit
import threading
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Protocol

from tengen.engine.evaluators import shipped
from tengen.engine.evaluators.backends.base import NetworkError
from tengen.engine.evaluators.outline import Size, is_onnx
from tengen.engine.evaluators.under_way import begun, is_ending
from tengen.engine.sentence import excerpt, printable

if TYPE_CHECKING:
    from collections.abc import Callable

    from tengen.engine.evaluators.backends.base import Precision
    from tengen.engine.evaluators.katago.evaluator import KataGoEvaluator
    from tengen.engine.evaluators.katago.loading import Wish
    from tengen.engine.evaluators.network import NetworkEvaluator

AUTO = "auto"
OWN = "Tengen's own"
"""How a network that Tengen ships was come to."""
BUCKETS = (1, 2, 4, 8, 16, 32, 64)
"""Batch sizes of searches; each is compiled when it first comes. All boards of a game fill their planes."""


class Chosen(NamedTuple):
    """The file of a network, and how it was come to."""

    path: Path
    reason: str


class Loaded(Protocol):
    """A network ready to play. notice: a sentence for the user, "" for none."""

    @property
    def evaluator(self) -> KataGoEvaluator | NetworkEvaluator: ...
    @property
    def precision(self) -> Precision: ...
    @property
    def notice(self) -> str: ...


class Unwanted(Exception):
    """The process ends while the network loads."""


class Loading:
    """A network that loads: a thread chooses and loads it, and its users wait for it.

    load: gets what to ask between its steps. The end of the process waits for the step, unless it leaves by `os._exit`.
    """

    def __init__(self, load: Callable[[Callable[[], None]], tuple[Chosen, Loaded]]) -> None:
        self._is_wanted = True
        self._ended = threading.Event()
        self.future = begun(lambda: self._run(load), "network")
        """The network with how it was come to."""
        atexit.register(self.cancel)

    @property
    def is_done(self) -> bool:
        return self.future.done()

    @property
    def error(self) -> BaseException | None:
        """Why it could not be loaded, once that is known."""
        return self.future.exception() if self.is_done else None

    def get(self) -> Loaded:
        """The network, when it is there. Raises NetworkError, or what else went wrong."""
        return self.future.result()[1]

    def sentences(self) -> list[str]:
        """Return the sentences for the user: the name of the network, and its problems. Waits and raises as `get`."""
        chosen, loaded = self.future.result()
        name = excerpt(chosen.path.name, 100)
        told = f"the network {name} ({printable(loaded.evaluator.name, 100)}), {chosen.reason}, in {loaded.precision}"
        return [told, *filter(None, [loaded.notice])]

    def cancel(self) -> None:
        """Nobody wants it any more: returns once nothing is under way."""
        self._is_wanted = False
        self._ended.wait()

    def _go_on(self) -> None:
        if not self._is_wanted or is_ending():
            raise Unwanted

    def _run(self, load: Callable[[Callable[[], None]], tuple[Chosen, Loaded]]) -> tuple[Chosen, Loaded]:
        try:
            return load(self._go_on)
        except ImportError as error:
            from tengen.engine import extras

            raise NetworkError(extras.sentence("a network", error) or str(error)) from error
        finally:
            self._ended.set()


_kept: dict[tuple[object, ...], Loading] = {}
_lock = threading.Lock()


def loading_of(
    named: str, size: Size | None = None, *, wish: Wish = "auto", threads: int = 1, device: str = "cpu"
) -> Loading:
    """The network of a file, or the one that AUTO finds for boards of a size, loading from now on if it was not yet.

    All who name it share it. One that could not be loaded is tried again.
    """
    key = _key(named, size, wish, threads, device)
    with _lock:
        kept = _kept.get(key)
        if kept is None or kept.error is not None:
            load = _load_found if named == AUTO else _load
            kept = _kept[key] = Loading(lambda go_on: load(named, size, wish, threads, device, go_on))
        return kept


def known_loading(
    named: str, size: Size | None = None, *, wish: Wish = "auto", threads: int = 1, device: str = "cpu"
) -> Loading | None:
    """Return the loading that an earlier request began, without beginning one."""
    return _kept.get(_key(named, size, wish, threads, device))


def chosen_file(named: str, size: Size | None = None) -> Chosen | None:
    """The file that is named, or that AUTO finds for boards of a size. It is not opened."""
    if named != AUTO:
        path = Path(named).expanduser()
        return Chosen(path, OWN if path.parent in shipped.folders() else "named")
    from tengen.engine.evaluators.katago.finding import DEFAULT_SIZE, SHIPPED, choose, find_networks

    found = choose(find_networks(), size or DEFAULT_SIZE)
    if found is None:
        return None
    return Chosen(found.path, OWN if found.owner == SHIPPED else f"found in {found.owner}'s folder")


def not_found(size: Size | None) -> NetworkError:
    """Return the error that AUTO raises if there is no network for boards of a size."""
    boards = f" for boards of {size[0]}x{size[1]}" if size else ""
    return NetworkError(f"no network{boards} was found on this machine ('tengen net get' fetches one)")


def _key(named: str, size: Size | None, wish: Wish, threads: int, device: str) -> tuple[object, ...]:
    what = (AUTO, size) if named == AUTO else str(Path(named).expanduser().absolute())
    return what, wish, threads, device


def _load_found(
    named: str, size: Size | None, wish: Wish, threads: int, device: str, go_on: Callable[[], None]
) -> tuple[Chosen, Loaded]:
    """What is found for several sizes is loaded once."""
    chosen = chosen_file(named, size)
    if chosen is None:
        raise not_found(size)
    go_on()
    return chosen, loading_of(str(chosen.path), wish=wish, threads=threads, device=device).get()


def _load(
    named: str, size: Size | None, wish: Wish, threads: int, device: str, go_on: Callable[[], None]
) -> tuple[Chosen, Loaded]:
    """That of a file, which is for boards of any size as far as anybody knows."""
    chosen = chosen_file(named, size)
    assert chosen is not None
    from tengen.engine.evaluators.backends import backend_for

    backend = backend_for(device)
    if is_onnx(chosen.path):
        from tengen.engine.evaluators.network import load_onnx

        go_on()
        return chosen, load_onnx(chosen.path, wish=wish, backend=backend, threads=threads, buckets=BUCKETS)
    from tengen.engine.evaluators.katago.loading import load_for_play

    return chosen, load_for_play(
        chosen.path,
        wish=wish,
        backend=backend,
        threads=threads,
        buckets=BUCKETS,
        is_masked=False,
        go_on=go_on,
    )
