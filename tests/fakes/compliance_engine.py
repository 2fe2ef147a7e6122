"""A small engine with planted faults: `python compliance_engine.py KIND [FAULT]...`. It knows just enough to pass."""

from __future__ import annotations

import sys

from gtp_engine import talk


def uci(faults: set[str]) -> None:
    """Plays e2e4 and what it is told to. Faults: no-author, crash, blind."""
    searching, only, mated = False, "e2e4", False
    for line in sys.stdin:
        words = line.split()
        if words == ["uci"]:
            print("id name Fake" + ("" if "no-author" in faults else "\nid author Nobody") + "\nuciok", flush=True)
        elif words == ["isready"]:
            if "blind" not in faults or not searching:
                print("readyok", flush=True)
        elif words[:2] == ["position", "fen"] and "crash" in faults and len(words) == 3:
            raise SystemExit(1)
        elif words[:1] == ["position"]:
            mated = "6Pq/5P2" in line
        elif words[:1] == ["go"]:
            only = next((move for move in ("a2a3", "e1h1") if move in words), "e2e4")
            searching = "infinite" in words or "ponder" in words
            print("info depth 1 score cp 0 nodes 1 time 1 pv e2e4")
            if not searching:
                print("bestmove " + ("(none)" if mated else only), flush=True)
        elif words in (["stop"], ["ponderhit"]) and searching:
            searching = False
            print("bestmove e2e4", flush=True)
        elif words == ["quit"]:
            return


if __name__ == "__main__":
    {"gtp": talk, "uci": uci}[sys.argv[1]](set(sys.argv[2:]))
