"""What a KataGo network says of the position: kata-raw-nn, in KataGo's layout."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tengen.protocols.gtp.arguments import COLOURS, colour, integer
from tengen.protocols.gtp.framing import GtpError, Request
from tengen.protocols.gtp.handler import Gtp
from tengen.protocols.gtp.registry import GO, command

if TYPE_CHECKING:
    from tengen.engine.evaluators.katago.evaluator import KataGoEvaluator
    from tengen.engine.play.raw_network import Opinion

NO_NETWORK = "no network is loaded: start with --net FILE or --net auto"


@command("kata-raw-nn", games=GO)
def raw_network(gtp: Gtp, request: Request) -> str:
    """`[colour] [symmetry|all]`, the side to move and symmetry 0 where they are not said. White's view, rows from the
    top; a symmetry is how the network saw the position, what it said is turned back."""
    from tengen.engine.play.raw_network import opinions

    evaluator, player = _evaluator(gtp), gtp.player
    state = player.state
    side, symmetries = _arguments(request, state.to_move, evaluator.features.symmetries(state.width, state.height))
    try:
        found = opinions(evaluator, player.history, player.rules, symmetries, side)
    except (RuntimeError, ValueError) as error:
        raise GtpError(str(error)) from None
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


def _evaluator(gtp: Gtp) -> KataGoEvaluator:
    """The network of the conversation; it is loaded when it is asked for first."""
    from tengen.engine.play.networks import network_of

    try:
        loading = network_of(gtp.player.config)
        if loading is None:
            raise GtpError(NO_NETWORK)
        told = loading.sentences()
    except (ValueError, ImportError, OSError) as error:
        raise GtpError(str(error)) from None
    for sentence in told:
        gtp.tell_once(sentence)
    return loading.get().evaluator


def _text(said: Opinion) -> str:
    lines = [f"symmetry {said.symmetry}"]
    lines += [f"{name} {value:.6f}" for name, value in said.results.items()]
    lines += [f"{name} {value:.3f}" for name, value in said.scores.items()]
    lines += ["policy", *(" ".join("    NAN" if p is None else f"{p:8.6f}" for p in row) for row in said.policy)]
    lines += [f"policyPass {said.policy_pass:8.6f}", "whiteOwnership"]
    lines += [" ".join(f"{owner:9.7f}" for owner in row) for row in said.ownership]
    return "\n".join(lines)
