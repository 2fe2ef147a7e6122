"""The table of GTP 2: what Sabaki, GoGui and match managers ask, and what a right answer is.

`{0}`, `{1}` and `{2}` are three first moves, `{first}` is any of them, `{vertex}` any vertex of the board, `{size}` its size;
other names stand for what an earlier step of the row captured.
"""

# ruff: noqa: E501 - a table: one question a row

from __future__ import annotations

from tengen.tools.compliance.check import check
from tengen.tools.compliance.games import DISCS, GO

SYNC = "Sabaki then says that the engine can't be synced and cannot use it for that position"
TWO_WALLS = "\\n".join(
    f"play {colour} {column}{row}"
    for rows, colour in (((1, 2, 3, 4), "b"), ((9, 8, 7, 6), "w")) for row in rows for column in "ABCDEFGHJ"
)  # fmt: skip
"""Nine free points on a board of 9x9, all of them legal for both sides."""
KO = (
    "play b C5 => =|||play w E6 => =|||play b D6 => =|||play w F5 => =|||play b D4 => =|||play w E4 => =|||play b A1 => =|||"
    "play w D5 => =|||play b E5 => ="
)
"""The last move takes a stone in a ko on a board of 9x9."""
MOVE = "= ?((?P<move>{vertex})|(?i:pass|resign))"
OTHER = "(?!= ?{move}$)= ?({vertex}|(?i:pass|resign))"
OCCUPIED = (
    "It answers genmove with a point that is not free: a manager calls that a loss, a GUI an error of the engine."
)
SCORE = r"= ?([BWbw]\+(\d+(\.\d*)?|R|Resign|T|Time|F|Forfeit)|0(\.0+)?)|\? ?.+"
REFUSED = (
    r"\?\d*\s*(.*\b(unknown|unsupported|unimplemented|unrecogni[sz]ed|no such|invalid)( gtp)? command\b.*|"
    r".*\bcommand\b.*\b(unknown|unsupported|unimplemented|not (known|found|implemented|supported))\b.*|"
    r"(not (yet )?(implemented|supported)|unimplemented|unsupported)\W*)"
)
"""An error that says that there is no such command, whatever the arguments."""
BASES = {
    r"\d+\s": "id is echoed", "known_command": "known command", "clear_board": "clear_board clears", "play": "play",
    "genmove": "genmove", "undo": "undo",
}  # fmt: skip
"""Beginning of a line -> the row that examines it: `presuming`."""

TABLE = (
    check("id is echoed", "17 name => =17 .+", "It does not repeat the number of a command: Lizzie, GoGui and every "
          "controller that pipelines cannot tell which answer belongs to what."),
    check("large id", "2147483647 name => =2147483647 .+", "It does not repeat the largest allowed number of a command, "
          "which controllers count up to.", should=True),
    check("protocol version", "protocol_version => = ?2", "It does not say that it speaks version 2: controllers refuse it."),
    check("name", "name => = ?[^\\n]+", "It has no name of one line, which every GUI shows."),
    check("version", "version => =[^\\n]*", "It has no version of one line; Lizzie reads one."),
    check("list_commands", "list_commands => = ?[\\w.-]+(\\n[\\w.-]+)*", "list_commands is not one command a line: GUIs "
          "switch off what they cannot find there."),
    check("list_commands names each once", r"list_commands => (?s:= ?(?!(.*\n)?([\w.-]+)\n(.*\n)?\2(\n|$)).*)", "list_commands names a "
          "command twice: menus that are made of it do so too.", should=True, presumes="list_commands"),
    check("known command", "known_command play => = ?true", "known_command does not say true of a known command: GoGui "
          "and match managers switch features off."),
    check("unknown command is not known", "known_command xyzzy_42 => = ?false", "known_command does not say false of an "
          "unknown command; an error here stops GoGui."),
    check("unknown command", "xyzzy_42 => \\? ?.+", "It does not refuse an unknown command with an error: controllers "
          "probe for extensions and take silence or success for one."),
    check("comments and empty lines", "\\n\\n# a comment\\n \\n =>", "It answers empty lines or comments: every later "
          "answer is then taken for the answer to another command."),
    check("comment after a command", "5 protocol_version # why => =5 2", "It does not cut off a comment after '#', as "
          "regression files have them.", should=True, presumes="comments and empty lines"),
    check("CR LF", "5 protocol_version\\r => =5 2", "It does not accept lines that end with CR LF, as Windows programs "
          "send them."),
    check("tabs", "5\\tknown_command\\tplay => =5 true", "It does not take a tab for a blank, as the standard asks.",
          should=True),
    check("pipelining", "clear_board\\n1 name\\n2 version\\n3 protocol_version => =\\n\\n=1 .+\\n\\n=2.*\\n\\n=3 2", "It "
          "does not answer commands that arrive together one by one and in order; Sabaki sends a whole game at once.",
          presumes="framing"),
    check("play", "clear_board => =|||play b {0} => =", f"It refuses clear_board or a first move; {SYNC}."),
    check("clear_board clears", "clear_board => =|||play b {0} => =|||clear_board => =|||play b {0} => =", f"After clear_board stones of "
          f"the last game stay; {SYNC}."),
    check("same colour twice", "clear_board => =|||play b {0} => =|||play b {2} => =", f"It refuses two moves of one colour in a "
          f"row, as set-up stones and handicap are sent; {SYNC}.", games="go gomoku"),
    check("colour in any case", "clear_board => =|||play BLACK {0} => =|||play White {1} => =", f"It does not read colours in any "
          f"case; {SYNC}."),
    check("vertex in any case", "clear_board => =|||play b {0} => =|||play w {1} => =|||clear_board => =|||play b {upper} => =|||"
          "clear_board => =|||play b {lower} => =", f"It does not read vertices in any case; {SYNC}."),
    check("occupied point", "clear_board => =|||play b {0} => =|||play w {0} => \\? ?.+", "It accepts a stone on a stone: its board "
          "then differs from the GUI's."),
    check("a move that turns nothing", "clear_board => =|||play b A1 => \\? ?.+", "It accepts a move that turns no disc: its board then "
          "differs from the GUI's.", games=DISCS),
    check("captured stones leave the board", "clear_board => =|||play w A1 => =|||play b A2 => =|||play w J9 => =|||play b B1 => =|||"
          "play w H9 => =|||play b A1 => =",
          "A captured stone stays on its board, which then differs from the GUI's.", games=GO),
    check("suicide", "clear_board => =|||play w A2 => =|||play w B1 => =|||play b A1 => \\? ?.+", "It accepts a single stone without a "
          "liberty, which no rules allow: its board then differs from the GUI's.", games=GO, presumes="captured stones leave the board"),
    check("ko", f"clear_board => =|||{KO}|||play w D5 => \\? ?.+", "It accepts that a ko is retaken at once, which the standard calls "
          "an illegal move; some engines (KataGo) do so on purpose, to read any record.", games=GO, should=True,
          presumes="captured stones leave the board"),
    check("ko after a threat", f"clear_board => =|||{KO}|||play w J9 => =|||play b J1 => =|||play w D5 => =", f"It refuses to retake a ko "
          f"after a threat; {SYNC}.", games=GO, presumes="captured stones leave the board"),
    check("off the board", "clear_board => =|||play b Z25 => \\? ?.+|||play b A0 => \\? ?.+|||play b I5 => \\? ?.+", "It accepts a "
          "vertex that is not on the board (or a column I, which GTP leaves out): games are recorded wrongly.",
          games="go gomoku"),
    check("play without arguments", "play => \\? ?.+|||play b => \\? ?.+", "It accepts 'play' without a move."),
    check("genmove", "clear_board => =|||genmove b => = ?({first}|(?i:pass|resign))", "It does not answer genmove with a legal vertex, "
          "pass or resign; nobody can play with it."),
    check("genmove for any side", "clear_board => =|||genmove w => = ?({vertex}|(?i:pass|resign))", "It does not move for White "
          "on an empty board, as after a handicap.", games=GO),
    check("genmove plays its move", f"clear_board => =|||genmove b => {MOVE}|||play w {{move}} => \\? ?.+", "It does not play the move that "
          "genmove answers, for it takes another stone on that point: its board then differs from the GUI's.", presumes="occupied point"),
    check("genmove on an occupied point", f"clear_board => =|||genmove b => {MOVE}|||clear_board => =|||play w {{move}} => =|||"
          f"genmove b => {OTHER}", OCCUPIED, games="go gomoku"),
    check("genmove on an occupied point", f"clear_board => =|||genmove b => {MOVE}|||genmove w => {OTHER}", OCCUPIED,
          presumes="genmove plays its move"),
    check("genmove on a crowded board", f"clear_board => =|||{TWO_WALLS} => =(\\n\\n=)*|||genmove b => = ?((?P<move>[A-HJa-hj]5)|(?i:pass|resign))|||"
          "genmove w => (?!= ?{move}$)= ?([A-HJa-hj]5|(?i:pass|resign))", "With two walls of stones and the row between them free it "
          "refuses the stones, or moves to a point that is not free: a manager calls that a loss.", games="go9",
          presumes="genmove plays its move; genmove on an occupied point; framing"),
    check("genmove without a colour", "genmove => \\? ?.+", "It takes genmove without a colour for a command.", should=True),
    check("undo", "clear_board => =|||play b {0} => =|||undo => =|||play b {0} => =|||undo => =|||undo => \\? ?.+", "undo does not "
          f"work back to the empty board, or goes on below it; {SYNC}.", needs="undo"),
    check("genmove can be taken back", "clear_board => =|||genmove b => = ?.+|||undo => =|||play b {0} => =", "A move of genmove cannot be "
          "taken back; Sabaki does that at every variation.", needs="undo",
          presumes="genmove plays its move"),
    check("komi", "komi 0 => =|||komi -3 => =|||komi 7 => =|||komi 6.5 => =", f"It refuses a komi of 0, a negative or a whole "
          f"one: Sabaki sends 0 where a file has none; {SYNC}.", games=GO),
    check("komi that is no number", "komi nothing => \\? ?.+", "It takes any text for komi and plays with another one than "
          "the user thinks."),
    check("komi that is not finite", "komi nan => \\? ?.+|||komi inf => \\? ?.+|||komi -inf => \\? ?.+|||komi 6.5 => =", "It takes nan or inf for "
          "komi: no score is right after that.", games=GO, presumes="komi; komi that is no number"),
    check("boardsize that is no number", "boardsize big => \\? ?.+", "It takes any text for a board size."),
    check("impossible board size", "boardsize 1000 => \\? ?.+|||boardsize -1 => \\? ?.+|||boardsize 0 => \\? ?.+", "It accepts a "
          "board size that it cannot play: controllers try sizes and rely on the refusal."),
    check("boardsize clears", "boardsize {size} => =|||clear_board => =|||play b {0} => =|||boardsize {size} => =|||clear_board => =|||play b {0} => =",
          "After boardsize and clear_board stones of the last game stay."),
    check("showboard has no empty line", "showboard => = ?\\n?([^\\n]+\\n?)*", "showboard has an empty line inside, which ends a "
          "GTP answer: the controller takes the rest for the next one.", needs="showboard"),
    check("time settings", "time_settings 60 10 5 => =|||time_settings 0 1 1 => =", "It refuses time_settings: it will lose on "
          "time.", needs="time_settings"),
    check("time left", "time_left b 30 0 => =|||time_left w 10 5 => =", "It refuses time_left.", needs="time_left"),
    check("final score", f"clear_board => =|||play b {{0}} => =|||play w pass => =|||play b pass => =|||final_score => {SCORE}", "final_score "
          "gives neither a score (B+3.5, W+12, 0) nor an error with a reason: managers cannot read the result.",
          needs="final_score", games=GO),
    check("final score of no game", f"clear_board => =|||final_score => {SCORE}", "final_score gives neither a score (B+3.5, W+12, 0) nor "
          "an error with a reason: managers cannot read the result.", needs="final_score", games="gomoku reversi"),
    check("handicap", "clear_board => =|||set_free_handicap D4 F6 => =", f"It refuses set_free_handicap; {SYNC}.",
          needs="set_free_handicap", games=GO),
    check("handicap on a used board", "clear_board => =|||play b {0} => =|||set_free_handicap F6 G7 => \\? ?.+", "It accepts handicap "
          "stones on a board with stones: its position then differs from the GUI's.", should=True,
          needs="set_free_handicap", games=GO),
    check("analysis ends", "clear_board => =|||1 lz-analyze 10\\n2 protocol_version => =1\\n?[\\s\\S]*\\n\\n=2 2", "The next command "
          "does not end its analysis with an empty line: Sabaki then waits for ever.", needs="lz-analyze", games=GO, presumes="framing"),
    check("Kata analysis ends", "clear_board => =|||1 kata-analyze 10\\n2 protocol_version => =1\\n?[\\s\\S]*\\n\\n=2 2", "The next "
          "command does not end its analysis with an empty line: Sabaki then waits for ever.", needs="kata-analyze", games=GO, presumes="framing"),
    check("a file that is missing", "loadsgf nothing.sgf => \\? ?.+", "loadsgf says that a missing file was read.", needs="loadsgf"),
    check("a folder as a file", "loadsgf / => \\? ?.+|||name => = ?.+", "'loadsgf /' does not get an error.", needs="loadsgf"),
    check("an empty file", "loadsgf empty.sgf => \\? ?.+|||name => = ?.+", "An empty SGF file does not get an error.", needs="loadsgf"),
    check("a truncated file", "loadsgf truncated.sgf|||name => = ?.+", "A truncated SGF file ends it.", needs="loadsgf"),
    check("a deeply nested file", "loadsgf deep.sgf|||name => = ?.+", "A deeply nested SGF file ends it.", needs="loadsgf"),
    check("a binary file", "loadsgf binary.sgf => \\? ?.+|||name => = ?.+", "A file that is no SGF does not get an error.", needs="loadsgf"),
    check("saving outside its folder", "printsgf ../x.sgf|||printsgf ../../x.sgf|||printsgf {top}/y.sgf|||name => = ?.+",
          "It does not survive a path outside its folder.", needs="printsgf"),
    check("saving where there is no folder", "printsgf missing/folder/x.sgf => \\? ?.+|||name => = ?.+", "printsgf says that it saved "
          "where there is no folder: the user loses the game.", needs="printsgf"),
)  # fmt: skip
