"""Programs that play Reversi."""

from __future__ import annotations

from tengen.tools.peers.peer import Peer

_NTEST = ("command={} x", "protocol=nboard", "depth=8")
_OURS = ("command={tengen} nboard --threads 1", "protocol=nboard", "depth=8")
PEERS = (Peer("ntest", "Reversi, Ntest at depth 8", ("ntest",), _NTEST, ("--tc", "move=60"), _OURS, "59.2 % of 200"),)
