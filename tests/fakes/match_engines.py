"""Scripted engines with planted faults, in every protocol: `python match_engines.py gtp --fault late --at 3`.

They start in a few milliseconds and know just enough of each game to play legal moves from the usual start. Faults
at the own move number `--at`: illegal, crash, hang, late (answers after `--delay`), late-illegal, garbage (an answer
that is none), error, flood (junk without end); from the start: noise (junk lines before every reply), banner (lines that begin as GTP's answers do), refuse (the
board size), mute (no answer at all), dead (ends at once), chatty (much on stderr), child (starts a process that
outlives it, then hangs at `--at`), heir (the same, but it crashes, and the child holds its pipes), daemon (the same with a child that leaves parent and session, as daemons do). `--log` gets the pids of the engine and of its child, a line each.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from types import SimpleNamespace

COLUMNS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"
BANNER = "=== search ===\n? 3.5 points\n\n=" + "9" * 5000 + "\n= D4\n\n"
JUNK = "Warning: 0 <b>junk</b> \x1b[31m = = ==="


class Game:
    """What the engine remembers: stones by (column, row from the top), size, how many moves it made."""

    def __init__(self) -> None:
        self.reset(19)

    def reset(self, size: int) -> None:
        self.size, self.own, self.stones = size, 0, {}
        if options.game == "reversi":
            self.stones = {(3, 3): 1, (4, 4): 1, (3, 4): 0, (4, 3): 0}

    def put(self, point, colour: int) -> None:
        if point is not None:
            for other in self.flips(point, colour) if options.game == "reversi" else ():
                self.stones[other] = colour
            self.stones[point] = colour

    def flips(self, point, colour: int):
        """Discs that a move turns."""
        found = []
        for dx in (-1, 0, 1):
            for dy in (-1, 0, 1):
                x, y = point[0] + dx, point[1] + dy
                run = []
                while (dx or dy) and self.stones.get((x, y)) == 1 - colour:
                    run.append((x, y))
                    x, y = x + dx, y + dy
                if run and self.stones.get((x, y)) == colour:
                    found += run
        return found

    def choose(self, colour: int):
        """A legal move; None: a pass. Go: one row each, then passes. Gomoku: rows filled in a way that one side wins."""
        every = [(x, y) for y in range(self.size) for x in range(self.size)]
        if options.game == "go":
            every = [(x, 2 if colour == 0 else self.size - 3) for x in range(self.size)]
        if options.game == "gomoku":
            every = [
                (x, y)
                for y in (range(0, self.size, 2) if colour == 0 else range(1, self.size, 2))
                for x in range(self.size)
            ]
        free = [point for point in every if point not in self.stones]
        if options.game == "reversi":
            free = [point for point in free if self.flips(point, colour)]
        return free[0] if free else None


def say(text: str) -> None:
    if options.fault == "noise":
        sys.stdout.write(JUNK + "\n")
    if options.fault == "banner":
        sys.stdout.write(BANNER)
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def misbehave(game: Game) -> str | None:
    """Do what was planted for this move; a word that the protocol's writer turns into an answer, or None."""
    game.own += 1
    if options.fault == "chatty":
        sys.stderr.write("x" * 100_000 + "\n")
    if game.own != options.at:
        return None
    if options.fault in ("crash", "heir"):
        os._exit(3)
    if options.fault == "greedy":
        bytearray(400 << 20)
    if options.fault == "refused":
        raise MemoryError("on its own")
    if options.fault in ("hang", "child", "daemon"):
        while True:
            time.sleep(60)
    if options.fault == "flood":
        while True:
            sys.stdout.write(JUNK + "\n")
    if options.fault.startswith("late"):
        time.sleep(options.delay)
    return {
        "illegal": "illegal",
        "late-illegal": "illegal",
        "garbage": "garbage",
        "error": "error",
        "resign": "resign",
    }.get(options.fault)


def gtp() -> None:
    game = Game()
    commands = "name version list_commands boardsize clear_board komi play genmove quit".split()
    for line in sys.stdin:
        words = line.split()
        number = words.pop(0) if words and words[0].isdigit() else ""
        if not words:
            continue
        command, answer, mark = words[0], "", "="
        if options.fault == "mute":
            continue
        if command == "name":
            answer = options.name
        elif command == "version":
            answer = "1.0"
        elif command == "list_commands":
            answer = "\n".join(commands)
        elif command == "boardsize":
            game.reset(int(words[1]))
            if options.fault == "refuse":
                mark, answer = "?", "unacceptable size"
        elif command == "play":
            game.put(vertex(words[2], game.size), "bw".index(words[1][0].lower()))
        elif command == "genmove":
            fault = misbehave(game)
            colour = "bw".index(words[1][0].lower())
            point = game.choose(colour)
            if fault == "illegal":
                answer = "Z99" if not game.stones else name_of(next(iter(game.stones)), game.size)
            elif fault == "garbage":
                answer = "<b>maybe</b>"
            elif fault == "resign":
                answer = "resign"
            elif fault == "error":
                mark, answer = "?", "cannot think"
            else:
                game.put(point, colour)
                answer = name_of(point, game.size)
        elif command == "quit":
            say(f"={number}\n")
            return
        elif command not in commands:
            mark, answer = "?", "unknown command"
        say(f"{mark}{number} {answer}\n")


def vertex(text: str, size: int):
    if text.lower() == "pass":
        return None
    column = "ABCDEFGH".index(text[0].upper()) if options.game == "reversi" else COLUMNS.index(text[0].upper())
    row = int(text[1:])
    return column, row - 1 if options.game == "reversi" else size - row


def name_of(point, size: int) -> str:
    if point is None:
        return "pass"
    if options.game == "reversi":
        return f"{'abcdefgh'[point[0]]}{point[1] + 1}"
    return f"{COLUMNS[point[0]]}{size - point[1]}"


def gomocup() -> None:
    game, colour, board = Game(), 0, None
    for line in sys.stdin:
        words = line.replace(",", " ").split()
        if not words or options.fault == "mute":
            continue
        command = words[0].upper()
        if board is not None and command != "DONE":
            board.append(tuple(map(int, words)))
            continue
        if command == "ABOUT":
            say(f'name="{options.name}", version="1.0", author="nobody", country="XX"')
        elif command == "START":
            game.reset(int(words[1]))
            colour = 0
            say("ERROR size" if options.fault == "refuse" else "OK")
        elif command == "BOARD":
            board = []
        elif command == "END":
            return
        elif command in ("BEGIN", "TURN", "DONE"):
            if command == "TURN":
                game.put((int(words[1]), int(words[2])), 1 - colour)
            elif command == "DONE":
                colour = len(board) % 2
                for x, y, who in board:
                    game.put((x, y), colour if who == 1 else 1 - colour)
                board = None
            if command == "TURN" and len(game.stones) == 1:
                colour = 1
            fault = misbehave(game)
            point = game.choose(colour)
            if fault == "illegal":
                say("-1,77")
            elif fault == "garbage":
                say("<b>maybe</b>")
            elif fault in ("error", "resign"):
                say("ERROR cannot think")
            else:
                game.put(point, colour)
                say(f"{point[0]},{point[1]}")
        elif command not in ("INFO", "YXSTOP"):
            say("UNKNOWN")


def nboard() -> None:
    game, colour = Game(), 0
    game.reset(8)
    for line in sys.stdin:
        words = line.split()
        if not words or options.fault == "mute":
            continue
        if words[0] == "nboard":
            say(f"set myname {options.name}")
        elif words[0] == "ping":
            say(f"pong {words[1]}")
        elif words[:2] == ["set", "game"]:
            game.reset(8)
            colour = 0
        elif words[0] == "move":
            text = words[1].split("/")[0].lower()
            game.put(None if text == "pa" else vertex(text, 8), colour)
            colour = 1 - colour
        elif words[0] == "go":
            fault = misbehave(game)
            point = game.choose(colour)
            say("status thinking")
            if fault == "illegal":
                say("=== a1/0/0")
            elif fault == "garbage":
                say("=== <b>maybe</b>")
            elif fault == "error":
                say("error")
                time.sleep(60)
            else:
                say(f"=== {'PA' if point is None else name_of(point, 8)}/1.5/0.0")
        elif words[0] == "quit":
            return


def uci() -> None:
    game, moves = Game(), []
    for line in sys.stdin:
        words = line.split()
        if not words or options.fault == "mute":
            continue
        if words[0] == "uci":
            say(f"id name {options.name}\nid author nobody\noption name Hash type spin default 16 min 1 max 64\nuciok")
        elif words[0] == "isready":
            say("readyok")
        elif words[0] == "ucinewgame":
            game.own = 0
        elif words[0] == "position":
            moves = words[words.index("moves") + 1 :] if "moves" in words else []
        elif words[0] == "go":
            fault = misbehave(game)
            out, back = ("g1f3", "f3g1") if len(moves) % 2 == 0 else ("g8f6", "f6g8")
            move = back if len(moves) // 2 % 2 else out
            say("info depth 3 seldepth 4 nodes 77 score cp 20 pv " + move)
            say("bestmove " + {None: move, "illegal": "e2e5", "garbage": "<b>maybe</b>"}.get(fault, "0000"))
        elif words[0] == "quit":
            return


def xboard() -> None:
    game, moves = Game(), 0
    for line in sys.stdin:
        words = line.split()
        if not words or options.fault == "mute":
            continue
        if words[0] == "protover":
            say(f'feature ping=1 setboard=1 usermove=1 myname="{options.name}" memory=1 done=1')
        elif words[0] == "ping":
            say(f"pong {words[1]}")
        elif words[0] == "new":
            game.own, moves = 0, 0
        elif words[0] == "usermove":
            moves += 1
        elif words[0] == "go":
            fault = misbehave(game)
            if fault == "error":
                say("Error (cannot think): go")
                time.sleep(60)
            out, back = ("g1f3", "f3g1") if moves % 2 == 0 else ("Nf6", "Ng8")
            move = back if moves // 2 % 2 else out
            say(" 3 20 1 77 " + move)
            say({None: "move " + move, "illegal": "move e2e5", "garbage": "move <b>maybe</b>"}.get(fault, fault))
            moves += 1
        elif words[0] == "quit":
            return


def daemon() -> int:
    """Start a process whose parent is gone, in a session of its own; its pid."""
    reading, writing = os.pipe()
    between = os.fork()
    if between == 0:
        os.setsid()
        if os.fork() == 0:
            os.write(writing, b"%d" % os.getpid())
            os.execv(sys.executable, [sys.executable, "-S", "-c", "import time; time.sleep(300)"])
        os._exit(0)
    os.waitpid(between, 0)
    return int(os.read(reading, 20))


def main() -> None:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    pids = [os.getpid()]
    if options.fault in ("child", "heir"):
        import subprocess

        child = subprocess.Popen([sys.executable, "-S", "-c", "import time; time.sleep(300)"], stdin=subprocess.DEVNULL)
        pids.append(child.pid)
    if options.fault == "daemon":
        pids.append(daemon())
    if options.log:
        with open(options.log, "a") as file:
            file.write("".join(f"{pid}\n" for pid in pids))
    if options.fault == "dead":
        sys.exit(4)
    {"gtp": gtp, "gomocup": gomocup, "nboard": nboard, "uci": uci, "xboard": xboard}[options.protocol]()


def parse(words: list[str]) -> SimpleNamespace:
    """The protocol, then names and values in turn; `argparse` takes longer to load than the rest of the engine."""
    games = {"gtp": "go", "gomocup": "gomoku", "nboard": "reversi", "uci": "chess", "xboard": "chess"}
    found = {"game": "", "fault": "", "at": "2", "delay": "0.3", "name": "fake", "log": ""}
    for option, value in zip(words[1::2], words[2::2], strict=True):
        if option.removeprefix("--") not in found:
            sys.exit(f"unknown option {option}")
        found[option.removeprefix("--")] = value
    found["game"] = found["game"] or games[words[0]]
    return SimpleNamespace(**{**found, "protocol": words[0], "at": int(found["at"]), "delay": float(found["delay"])})


if __name__ == "__main__":
    options = parse(sys.argv[1:])
    main()
