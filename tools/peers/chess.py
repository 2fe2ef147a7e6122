"""Programs that play chess by UCI, at two seconds for the game and 0.02 for each move."""

from __future__ import annotations

from tengen.tools.peers.peer import Peer

_UCI = ("protocol=uci", "option.Hash=16")
_OURS = ("command={tengen} uci --threads 1", *_UCI)


def _peer(name: str, title: str, published: str = "-", words: str = "") -> Peer:
    """words: of its command line."""
    match = ("--tc", "2+0.02/margin=0.1")
    return Peer(name, f"Chess, {title}", (name,), (f"command={{}}{words}", *_UCI), match, _OURS, published)


PEERS = (
    _peer("akimbo", "akimbo 0.6", "29.4 % of 34"),
    _peer("weiss", "Weiss 2.0", "51.7 % of 30"),
    _peer("stockfish", "Stockfish"),
    _peer("gnuchess", "GNU Chess", words=" --uci"),
    _peer("toga2", "Toga II"),
)
