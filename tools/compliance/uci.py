"""UCI, as python-chess, cutechess, fastchess, lichess-bot and GUIs use it."""

# ruff: noqa: E501 - a table: one question a row

from __future__ import annotations

import random
import re
from collections.abc import Mapping, Sequence

from tengen.tools.compliance.check import Check, check, presuming
from tengen.tools.compliance.dialect import Sentinel, Unframed, has_word

WORDS = ("id", "option", "uciok", "readyok", "info", "bestmove", "copyprotection", "registration")
FIRST = r"([a-h]2[a-h][34]|b1[ac]3|g1[fh]3)"
INFOS = r"(info .*\n)*"
BEST = rf"{INFOS}bestmove {FIRST}( ponder \S+)?"
NO_MOVE = rf"{INFOS}bestmove (\(none\)|0000|NULL)"
MATED = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3"
BROKEN = {"no FEN at all": "garbage", "no kings": "8/8/8/8/8/8/8/8 w - - 0 1", "one king": "8/8/8/8/8/8/8/K7 w - - 0 1",
          "nine ranks": "8/8/8/8/8/8/8/8/8 w - - 0 1", "a king in check that is not to move": "4k3/4Q3/8/8/8/8/8/4K3 w - - 0 1"}  # fmt: skip

TABLE = tuple(presuming((
    check("uci", "uci => (?s:(?=.*^id name .+)(?=.*^id author .+).*^uciok)".replace("^", "(?:^|(?<=\\n))"), "uci is not answered with id name, id author, options and "
          "uciok; fastchess --compliance and some GUIs refuse it."),
    check("isready", "isready => readyok", "isready is not answered with readyok: every GUI waits for it."),
    check("go depth", f"position startpos|||go depth 1 => {BEST}", "go depth 1 gives no legal bestmove."),
    check("go movetime", f"position startpos moves e2e4 e7e5|||go movetime 100 => {INFOS}bestmove [a-h][1-8][a-h][1-8].*", "go movetime gives "
          "no bestmove."),
    check("go nodes", f"position startpos|||go nodes 50 => {BEST}", "go nodes gives no bestmove.", should=True),
    check("go with clocks", f"position startpos|||go wtime 200 btime 200 winc 0 binc 0 => {BEST}", "go with clocks gives no bestmove."),
    check("go with one clock", f"position startpos|||go wtime 100 => {BEST}", "go with White's clock alone, as fastchess sends it, gives no "
          "bestmove."),
    check("negative clock", f"position startpos|||go wtime -50 btime -50 => {BEST}", "A negative clock, as managers send it after a late move, "
          "gives no bestmove."),
    check("a score before the move", f"position startpos|||go depth 2 => (info .*\\n)*info (?=.*\\bscore (cp|mate) -?\\d+).*\\n{INFOS}bestmove .*",
          "No info line with a score comes before bestmove: fastchess and adjudication need one.", should=True),
    check("whole numbers", "position startpos|||go depth 2 => (?s:(?!.*\\b(time|nps|nodes|depth|score cp|hashfull) -?\\d+\\.\\d).*)", "time, nps or score is no whole "
          "number; fastchess cannot read it."),
    check("searchmoves", f"position startpos|||go searchmoves a2a3 depth 2 => {INFOS}bestmove a2a3.*", "It does not keep to searchmoves, or reads the "
          "words after them as moves.", should=True),
    check("ready while searching", "position startpos|||go infinite\\nisready => (?s:(info .*\\n)*readyok(?s:.*))|||isready\\nstop => (?s:.*)bestmove .*", "isready is not answered "
          "during a search: GUIs take the engine for dead."),
    check("stop", f"position startpos|||go infinite\\nstop => {BEST}", "stop does not end 'go infinite' with a bestmove."),
    check("all words of go at once", f"position startpos|||go depth 3 wtime 1000 movetime 100 btime 1000 winc 10 nodes 1000 binc 10 movestogo 20 => {BEST}",
          "go with several bounds at once, as lichess-bot sends it, gives no bestmove."),
    check("pondering", "position startpos moves e2e4 e7e5|||go ponder wtime 1000 btime 1000\nisready => (?s:(?!.*^bestmove|.*\nbestmove).*readyok.*)|||isready\nponderhit => "
          "(?s:.*)bestmove .*", "It does not keep its move while it ponders, or has none after ponderhit.", should=True),
    check("castling in Chess960", "setoption name UCI_Chess960 value true\nposition fen 4k3/8/8/8/8/8/5PPP/4K2R w K - 0 1\nisready => readyok|||"
          f"go depth 1 searchmoves e1h1 => {INFOS}bestmove e1h1.*|||setoption name UCI_Chess960 value false\nisready => readyok", "Castling is not written as the "
          "king that takes its rook when UCI_Chess960 is set.", should=True),
    check("mated", f"position fen {MATED}|||go depth 1 => {NO_MOVE}", "In a mate it plays a move; python-chess then stops the match.", should=True),
    check("an illegal move in the game", "position startpos moves e2e5|||isready => readyok|||position startpos|||go depth 1 => " + BEST,
          "An illegal move in 'position' ends it."),
    *(check(f"position with {name}", f"position fen {fen}|||isready => readyok|||position startpos|||go depth 1 => {BEST}",
            f"'position fen' with {name} ends it; people set up such positions.") for name, fen in BROKEN.items()),
    check("unknown command", "xyzzy 1 2 =>", "It says something about an unknown line that is no 'info string'.", should=True),
    check("stop when idle", "stop =>", "It answers 'stop' though it does not search: the bestmove is taken for the next search's."),
    check("unknown option", "setoption name Xyzzy value 1|||isready => readyok", "An unknown option ends it."),
    check("blanks and tabs", f"  position \\t startpos  |||go   depth  1 => {BEST}", "It does not accept any white space between words."),
    check("a log file outside its folder", "setoption name Debug Log File value ../x.log\\nisready => readyok|||setoption name "
          "Debug Log File value\\nisready => readyok", "It does not survive a path outside its folder."),
    check("CR LF", f"isready\\r => readyok|||position startpos\\r|||go depth 1\\r => {BEST}", "It does not accept lines that end with CR LF."),
), {"isready": "isready", "go": "go depth"}))  # fmt: skip


class Uci(Unframed):
    """The dialect of one engine."""

    kind = "uci"
    own_lines = "isready"
    sanity = "go depth"
    quit = "quit"
    quit_seconds = 5.0
    hello = "uci"
    busy = "position startpos\ngo infinite"
    busy_ends = False
    facts = {"uci": "uci"}

    def sentinel(self, number: int) -> Sentinel:
        """isready: no hostile line holds it, and the rows of the table that do have read the answer."""
        return Sentinel("isready", lambda line: line.strip() == "readyok")

    def awaited(self, send: str) -> str | None:
        """bestmove after a search that ends; readyok may come before it."""
        last = send.strip().split("\n")[-1]
        if (
            "\nstop" in send
            or "\nponderhit" in send
            or has_word(last, "go")
            and not has_word(last, "infinite", "ponder")
        ):
            return r"bestmove"
        if has_word(last, "isready"):
            return r"readyok"
        return r"uciok" if last.strip() == "uci" else None

    def is_comment(self, line: str) -> bool:
        """info string may come at any time."""
        return line.startswith("info string")

    def is_noise(self, line: str) -> bool:
        """python-chess warns of every other line, some GUIs stop."""
        return line.split()[:1] != [] and line.split()[0] not in WORDS

    def learn(self, answers: Mapping[str, str]) -> dict[str, str]:
        """Name and options."""
        text = answers.get("uci", "")
        name = re.search(r"^id name (.+)", text, re.MULTILINE)
        options = re.findall(r"^option name (.+?) type", text, re.MULTILINE)
        return {"name": name[1] if name else "(none)", "options": ", ".join(options) or "(none)"}

    def checks(self) -> Sequence[Check]:
        """All rows."""
        return TABLE

    def valid(self, dice: random.Random) -> str:
        """Every command but isready and quit; a search is stopped at once."""
        return dice.choice([
            "ucinewgame", "position startpos", "position startpos moves e2e4 e7e5 g1f3", f"position fen {MATED}",
            f"setoption name Hash value {dice.choice([1, 2, 16])}", "setoption name Threads value 1",
            f"setoption name MultiPV value {dice.randint(1, 4)}", f"go depth {dice.randint(1, 3)}\nstop", "go infinite\nstop",
            f"go nodes {dice.randint(1, 500)}\nstop", f"go movetime {dice.randint(1, 20)}\nstop", "stop", "ponderhit",
            f"go wtime {dice.randint(1, 200)} btime {dice.randint(1, 200)}\nstop", "debug on", "debug off",
            f"position fen {dice.choice(list(BROKEN.values()))}",
        ])  # fmt: skip

    def guard(self, line: str) -> str:
        """End every search, and close the log file again."""
        return "stop" if has_word(line, "go") else ""

    def audit(self, sent: Sequence[str], reply: Sequence[str]) -> str:
        """No more moves than searches."""
        moves = sum(line.startswith("bestmove") for line in reply)
        searches = sum(has_word(line, "go") for text in sent for line in text.split("\n"))
        late = 1  # the last move of the batch before may come after its readyok
        return f"It gave {moves} bestmoves for {searches} searches." if moves > searches + late else ""
