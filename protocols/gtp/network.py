"""What a KataGo network says of the position: kata-raw-nn, in KataGo's layout."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from tengen.engine.evaluators.under_way import begun
from tengen.protocols.gtp.arguments import COLOURS, colour, integer
from tengen.protocols.gtp.framing import GtpError, Request
from tengen.protocols.gtp.handler import Gtp
from tengen.protocols.gtp.registry import GO, command

if TYPE_CHECKING:
    from concurrent.futures import Future

    from tengen.engine._core import StopToken
    from tengen.engine.evaluators.katago.evaluator import KataGoEvaluator
    from tengen.engine.play.go.raw_network import Opinion

T = TypeVar("T")
NO_NETWORK = "no network is loaded: start with --net FILE or --net auto"


@command("kata-raw-nn", games=GO)
def raw_network(gtp: Gtp, request: Request) -> str:
    """`[colour] [symmetry|all]`, the side to move and symmetry 0 where they are not said. White's view, rows from the
    top; a symmetry is how the network saw the position, what it said is turned back."""
    from tengen.engine.play.go.raw_network import opinions

    player = gtp.player
    with gtp.session.searching() as stop:
        evaluator, state = _evaluator(gtp, stop), player.state
        count = evaluator.features.symmetries(state.width, state.height)
        side, symmetries = _arguments(request, state.to_move, count)
        game = player.history, player.rules
        found = _awaited(stop, begun(lambda: opinions(evaluator, *game, symmetries, side), "opinion"))
    return "\n".join(_text(opinion) for opinion in found)


def _arguments(request: Request, side: int, count: int) -> tuple[int, list[int]]:
    """The side and the symmetries; `count` are there."""
    words, error = request.words, f"expected a symmetry from 0 to {count - 1} or all"
    if words and words[0].lower() in COLOURS:
        side = colour(words.pop(0))
    if len(words) > 1:
        raise GtpError(error)
    if words and words[0].lower() == "all":
        return side, list(range(count))
    symmetry = integer(words[0], error) if words else 0
    if not 0 <= symmetry < count:
        raise GtpError(error)
    return side, [symmetry]


def _evaluator(gtp: Gtp, stop: StopToken) -> KataGoEvaluator:
    """The network of the conversation; it is loaded when it is asked for first."""
    from tengen.engine.play.networks import katago_of, network_of

    loading = network_of(gtp.player.config, (gtp.player.state.width, gtp.player.state.height))
    if loading is None:
        raise GtpError(NO_NETWORK)
    _awaited(stop, loading.future)
    for sentence in loading.sentences():
        gtp.tell_once(sentence)
    return katago_of(loading)


def _awaited(stop: StopToken, future: Future[T]) -> T:
    """What it brings, unless the controller wants to leave first."""
    from tengen.engine.search.asking import Patience

    try:
        found = Patience(stop).wait(future)
    except (RuntimeError, ValueError, ImportError, OSError) as error:
        raise GtpError(str(error)) from None
    if found is None:
        raise GtpError("stopped before the network had answered")
    return found


def _text(said: Opinion) -> str:
    lines = [f"symmetry {said.symmetry}"]
    lines += [f"{name} {value:.6f}" for name, value in said.results.items()]
    lines += [f"{name} {value:.3f}" for name, value in said.scores.items()]
    lines += ["policy", *(" ".join("    NAN" if p is None else f"{p:8.6f}" for p in row) for row in said.policy)]
    lines += [f"policyPass {said.policy_pass:8.6f}", "whiteOwnership"]
    lines += [" ".join(f"{owner:9.7f}" for owner in row) for row in said.ownership]
    return "\n".join(lines)
