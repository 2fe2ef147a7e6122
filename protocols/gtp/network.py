"""Evaluations of the position by KataGo networks (kata-raw-nn, kata-raw-human-nn), and the list of networks."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from tengen.engine.evaluators.backends.base import NetworkError
from tengen.engine.evaluators.katago import ROOT_OPTIMISM
from tengen.engine.evaluators.under_way import begun
from tengen.protocols.gtp.arguments import COLOURS, colour, integer
from tengen.protocols.gtp.framing import GtpError, Request
from tengen.protocols.gtp.handler import Gtp
from tengen.protocols.gtp.registry import GO, command

if TYPE_CHECKING:
    from concurrent.futures import Future

    from tengen.engine._core import StopToken
    from tengen.engine.evaluators.background import Loading
    from tengen.engine.play.go.raw_network import Asking, Opinion

T = TypeVar("T")
HUMAN_SCORES = {
    "whiteScoreSelfplay": "whiteScore",
    "whiteScoreSelfplaySq": "whiteScoreSq",
    "shorttermWinlossError": "shorttermWinlossError",
    "shorttermScoreError": "shorttermScoreError",
}
"""The scores of a human network, by KataGo's names of a network that plays and of a human one."""
LARGEST_BATCH = 64
NO_NETWORK = "no network is loaded: start with --net FILE or --net auto"


@command("kata-raw-nn", games=GO)
def raw_network(gtp: Gtp, request: Request) -> str:
    """Answer what the network says of the position: `[colour] [symmetry|all] [optimism]`, the side to move, symmetry 0
    and a root's optimism where they are not said. White's view, rows from the top; a symmetry is how the network saw
    the position, what it said is turned back."""
    return _said(gtp, request, _loading(gtp), _text)


@command("kata-raw-human-nn", games=GO)
def raw_human_network(gtp: Gtp, request: Request) -> str:
    """Answer the same by the human network, without optimism to choose: it says the score of the game, not of play like
    its own."""
    from tengen.engine.play.networks import human_network_of, is_told

    config = gtp.player.config
    loading = human_network_of(config)
    if loading is None:
        raise GtpError("Cannot run kata-raw-human-nn, -human-model was not provided (--human-net FILE)")
    if not is_told(config):
        raise GtpError("Cannot run kata-raw-human-nn, humanSLProfile parameter was not set")
    return _said(gtp, request, loading, _human_text)


@command("kata-get-models", listed=False)
def models(gtp: Gtp, request: Request) -> str:
    """Return KataGo's networks of the conversation as a list in JSON, when they are loaded."""
    from tengen.engine.play.networks import human_network_of, network_of
    from tengen.protocols.katago_models import facts_of

    state, config = gtp.player.state, gtp.player.config
    loadings = [network_of(config, (state.width, state.height)), human_network_of(config)]
    found = []
    with gtp.session.searching() as stop:
        for loading in loadings:
            with suppress(GtpError, NetworkError):
                if loading is not None:
                    _awaited(stop, loading.future)
                    found.append(facts_of(loading, LARGEST_BATCH))
    return json.dumps(found, separators=(",", ":"))


def _said(gtp: Gtp, request: Request, loading: Loading, text: Callable[[Opinion], str]) -> str:
    from tengen.engine.play.go.raw_network import opinions
    from tengen.engine.play.networks import katago_of, profile_named

    player = gtp.player
    with gtp.session.searching() as stop:
        _awaited(stop, loading.future)
        for sentence in loading.sentences():
            gtp.tell_once(sentence)
        evaluator, state = katago_of(loading), player.state
        count = evaluator.features.symmetries(state.width, state.height)
        asking = _asking(request, state.to_move, count)._replace(profile=profile_named(player.config))
        game = player.history, player.rules
        found = _awaited(stop, begun(lambda: opinions(evaluator, *game, asking), "opinion"))
    return "\n".join(text(opinion) for opinion in found)


def _asking(request: Request, side: int, count: int) -> Asking:
    """The side, the symmetries, of which `count` are there, and the optimism."""
    from tengen.engine.play.go.raw_network import Asking

    words, error = request.words, f"expected a symmetry from 0 to {count - 1} or all"
    if words and words[0].lower() in COLOURS:
        side = colour(words.pop(0))
    if len(words) > 2 or (len(words) == 2 and request.name != "kata-raw-nn"):
        raise GtpError(error)
    optimism = _optimism(words.pop()) if len(words) == 2 else ROOT_OPTIMISM
    if words and words[0].lower() == "all":
        return Asking(side, range(count), optimism)
    symmetry = integer(words[0], error) if words else 0
    if not 0 <= symmetry < count:
        raise GtpError(error)
    return Asking(side, [symmetry], optimism)


def _optimism(word: str) -> float:
    try:
        found = float(word)
    except ValueError:
        found = -1
    if not 0 <= found <= 1:
        raise GtpError("expected an optimism from 0 to 1")
    return found


def _loading(gtp: Gtp) -> Loading:
    """The network of the conversation; it is loaded when it is asked for first."""
    from tengen.engine.play.networks import network_of

    loading = network_of(gtp.player.config, (gtp.player.state.width, gtp.player.state.height))
    if loading is None:
        raise GtpError(NO_NETWORK)
    return loading


def _awaited(stop: StopToken, future: Future[T]) -> T:
    """What it brings, unless the controller wants to leave first."""
    from tengen.engine.search.batching import Patience

    try:
        found = Patience(stop).wait(future)
    except (RuntimeError, ValueError, ImportError, OSError) as error:
        raise GtpError(str(error)) from None
    if found is None:
        raise GtpError("stopped before the network had answered")
    return found


def _human_text(said: Opinion) -> str:
    return _text(replace(said, scores={theirs: said.scores[ours] for ours, theirs in HUMAN_SCORES.items()}))


def _text(said: Opinion) -> str:
    lines = [f"symmetry {said.symmetry}"]
    lines += [f"{name} {value:.6f}" for name, value in said.results.items()]
    lines += [f"{name} {value:.3f}" for name, value in said.scores.items()]
    lines += ["policy", *(" ".join("    NAN" if p is None else f"{p:8.6f}" for p in row) for row in said.policy)]
    lines += [f"policyPass {said.policy_pass:8.6f}", "whiteOwnership"]
    lines += [" ".join(f"{owner:9.7f}" for owner in row) for row in said.ownership]
    return "\n".join(lines)
