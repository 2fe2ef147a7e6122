"""Programs that play Go."""

from __future__ import annotations

from tengen.tools.peers.peer import Peer

_GNU_GO = ("tc=move=60", "command={} --mode gtp --level 10 --chinese-rules --capture-all-dead")
_PACHI = ("tc=move=60", "command={} -t =9000 threads=1,pass_all_alive")
_NINE, _NINETEEN = ("--size", "9", "--rules", "chinese"), ("--size", "19", "--rules", "chinese")
_OURS = ("tc=move=1", "command={tengen} gtp --threads 1")
PEERS = (
    Peer("gnugo", "Go 9x9, GNU Go at level 10", ("gnugo",), _GNU_GO, _NINE, _OURS, "97.0 % of 200"),
    Peer("gnugo-19", "Go 19x19, GNU Go at level 10", ("gnugo",), _GNU_GO, _NINETEEN, _OURS, "92.5 % of 100"),
    Peer("pachi", "Go 9x9, Pachi, 9,000 playouts", ("pachi",), _PACHI, _NINE, _OURS, "77.5 % of 100"),
)
