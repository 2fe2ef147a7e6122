"""Programs that play Gomoku by Gomocup's protocol, at one second a move."""

from __future__ import annotations

from tengen.tools.peers.peer import Peer

_OURS = ("command={tengen} gomocup --threads 1", "protocol=gomocup")


def _peer(name: str, title: str, *others: str) -> Peer:
    """others: names of the program beside the one that managers expect."""
    words = ("command={}", "protocol=gomocup")
    return Peer(name, f"Gomoku, {title}", (f"pbrain-{name}", *others), words, ("--tc", "turn=1/margin=0.2"), _OURS)


PEERS = (
    _peer("pentazen", "PentaZen", "pentazen"),
    _peer("rapfi", "Rapfi", "rapfi"),
    _peer("aiwine", "AIWine", "aiwine"),
    _peer("wine", "Wine"),
)
