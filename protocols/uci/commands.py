"""The commands of UCI, each a function of one conversation and the words that follow it, registered in `registry.py`.

Searches, counts and benchmarks are begun here and run beside the conversation (`background.py`).
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from tengen.engine.sentence import excerpt
from tengen.engine.version import __version__
from tengen.protocols.chess import options
from tengen.protocols.chess.values import Refused
from tengen.protocols.uci import go as going
from tengen.protocols.uci import set_option
from tengen.protocols.uci.option_line import option_line
from tengen.protocols.uci.registry import command

if TYPE_CHECKING:
    from tengen.protocols.uci.handler import Uci

# -- the conversation -----------------------------------------------------------------------------------------


@command("uci")
def uci(talk: Uci, words: list[str]) -> None:
    """Answer name, author and all options, then `uciok`."""
    name = talk.config.name or "Tengen"
    version = talk.config.version_string or ("" if talk.config.name else __version__)
    lines = [f"id name {name} {version}".rstrip(), "id author the Tengen developers"]
    lines += [option_line(option) for option in talk.settings.options.values()]
    lines += [f"option name {options.CLEAR_HASH} type button", "uciok"]
    talk.session.write("".join(f"{line}\n" for line in lines))


@command("isready")
def isready(talk: Uci, words: list[str]) -> None:
    """Make all that the first move needs, before a clock runs, unless it is at work; answer `readyok`."""
    if not talk.is_busy:
        from tengen.protocols.uci import go_task  # noqa: F401

        talk.player_at(talk.position)
    talk.session.write("readyok\n")


@command("setoption")
def setoption(talk: Uci, words: list[str]) -> None:
    """Set an option; a value that does not fit is told in a sentence."""
    try:
        given = set_option.parse(" ".join(words))
        if given.name in talk.settings.options or given.name == options.CLEAR_HASH.lower():
            talk.set_option(given.name, given.value)
        else:
            talk.tell(f"no option is called {excerpt(given.name, 60)}")
    except Refused as error:
        talk.tell(str(error))


@command("debug")
def debug(talk: Uci, words: list[str]) -> None:
    """`on` tells more of what the engine does; `off` ends that."""
    talk.is_debugging = words[:1] != ["off"]


@command("register")
def register(talk: Uci, words: list[str]) -> None:
    """Do nothing: nothing has to be registered."""


# -- the position ---------------------------------------------------------------------------------------------


@command("ucinewgame")
def ucinewgame(talk: Uci, words: list[str]) -> None:
    """Forget what the last game has taught the search."""
    talk.engine.forget()
    talk.lags = None


@command("position")
def position(talk: Uci, words: list[str]) -> None:
    """Set the position: `startpos` or `fen FEN`, and `moves` after it."""
    from tengen.protocols.chess.position import Unusable

    try:
        remark = talk.position.set(words, talk.settings.check("uci_chess960"))
    except Unusable as error:
        talk.tell(str(error))
    else:
        if remark:
            talk.tell(remark)


@command("d")
def show(talk: Uci, words: list[str]) -> None:
    """Show the board, the FEN, the key and who gives check."""

    from tengen.protocols.uci.showing import board

    talk.tell_all(board(talk.position.state))


@command("eval")
def evaluate(talk: Uci, words: list[str]) -> None:
    """Show the value of the position without a search."""

    from tengen.protocols.uci.showing import evaluation

    talk.tell_all(evaluation(talk.position.state, talk.engine.weights()))


# -- what runs beside the conversation ------------------------------------------------------------------------


@command("go")
def go(talk: Uci, words: list[str]) -> None:
    """Search, with the limits that follow, and answer `bestmove`; `go perft N` counts positions."""
    started = time.monotonic()
    asked = going.parse(words)
    for note in asked.notes:
        talk.tell(note)
    talk.end()
    if asked.perft is not None:
        _count(talk, asked.perft)
        return
    from tengen.protocols.uci.go_task import search

    talk.begin(search(talk, asked, started))


@command("stop")
def stop(talk: Uci, words: list[str]) -> None:
    """Stop the search and report its result before the next line is executed, so that it is not taken for another
    search's."""
    talk.stop()


@command("ponderhit")
def ponderhit(talk: Uci, words: list[str]) -> None:
    """Go on with the search on the clock: the opponent has played the move that was expected."""
    hit = getattr(talk.work, "ponderhit", None)
    if hit is not None:
        hit()


@command("perft")
def perft(talk: Uci, words: list[str]) -> None:
    """Count the positions at a depth, by move."""
    go(talk, ["perft", *words])


def _count(talk: Uci, depth: int) -> None:
    from tengen.protocols.chess.background import Work
    from tengen.protocols.uci.perft import perft

    state = talk.position.state
    talk.begin(Work(lambda work: perft(state, depth, talk.write, work.token), talk.write, is_bounded=True), tells=True)


@command("bench")
def bench(talk: Uci, words: list[str]) -> None:
    """Count the nodes of fixed positions at a depth."""
    from tengen.protocols.chess.background import Work
    from tengen.protocols.uci.benchmark import bench, depth_of

    talk.end()
    config, depth = talk.engine.player.config, depth_of(words)
    talk.begin(Work(lambda work: bench(config, depth, talk.write, work.token), talk.write, is_bounded=True), tells=True)
