"""A small engine with planted faults: `python compliance_engine.py KIND [FAULT]...`. It knows just enough to pass."""

from __future__ import annotations

import re
import sys
import time

POINT = re.compile(r"([a-hj])([1-9])|pass", re.IGNORECASE)


def gtp(faults: set[str]) -> None:
    """Go on 9x9 with one move in its head. Faults: no-id, extra, hang, crash, noise, escape, any-command, no-commands."""
    size, stones = 9, []
    commands = "protocol_version name version known_command list_commands quit boardsize clear_board komi play genmove undo"
    if "escape" in faults:
        commands += " printsgf"
    for line in sys.stdin:
        text = line.split("#")[0].replace("\t", " ").strip()
        number, words = "", text.split()
        if words and words[0].isdecimal():
            number, words = words[0], words[1:]
        if not words:
            continue
        name, arguments = words[0], words[1:]
        good, answer = True, ""
        if name == "protocol_version":
            answer = "2"
        elif name in ("name", "version"):
            answer = "Fake"
        elif name == "known_command":
            answer = "true" if arguments and arguments[0] in commands.split() else "false"
        elif name == "list_commands":
            answer = commands.replace(" ", "\n")
        elif name == "quit":
            if "stays" not in faults:
                print(f"={number}\n", flush=True)
                return
        elif name == "boardsize":
            good = bool(arguments) and arguments[0].isdecimal() and 2 <= int(arguments[0]) <= 19
            size = int(arguments[0]) if good else size
        elif name == "clear_board":
            stones = []
        elif name == "komi":
            good = bool(arguments) and re.fullmatch(r"-?\d+(\.\d+)?", arguments[0]) is not None
        elif name == "play":
            point = arguments[1].lower() if len(arguments) == 2 else "?"
            good = POINT.fullmatch(point) is not None and arguments[0].lower() in ("b", "w", "black", "white")
            good = good and (point not in stones or point == "pass")
            if "crash" in faults and point == "z25":
                raise SystemExit(3)
            stones += [point] if good else []
        elif name == "genmove":
            good = bool(arguments)
            answer = "resign" if good else ""
            stones += ["resign"] if good else []
        elif name == "undo":
            good = bool(stones)
            stones = stones[:-1]
        elif name == "printsgf" and "escape" in faults:
            open(arguments[0] if arguments else "x", "w").close()
        elif "any-command" not in faults:
            good = False
        if "hang" in faults and "nan" in line:
            time.sleep(3600)
        if "noise" in faults and name == "undo":
            print("loading the network")
        head = ("=" if good else "?") + ("" if "no-id" in faults and name == "name" else number)
        print(f"{head} {answer or ('' if good else 'no')}\n" + ("\n= \n" if "extra" in faults and name == "undo" else ""), flush=True)
    if "stays" in faults:
        time.sleep(3600)


def uci(faults: set[str]) -> None:
    """Plays e2e4 and nothing else. Faults: no-author, crash, blind."""
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
            only = "a2a3" if "a2a3" in words else "e2e4"
            searching = "infinite" in words
            print("info depth 1 score cp 0 nodes 1 time 1 pv e2e4")
            if not searching:
                print("bestmove " + ("(none)" if mated else only), flush=True)
        elif words == ["stop"] and searching:
            searching = False
            print("bestmove e2e4", flush=True)
        elif words == ["quit"]:
            return


if __name__ == "__main__":
    {"gtp": gtp, "uci": uci}[sys.argv[1]](set(sys.argv[2:]))
