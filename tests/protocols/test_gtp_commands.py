"""What single commands answer, as tables: the conversation so far -> the response to its last line."""

from __future__ import annotations

import pytest
from fakes.player import FakePlayer
from gtp_client import say

from tengen.engine.config import Config
from tengen.engine.play.request import MoveRequest

BAD_MOVE = "? invalid color or coordinate"
PAIRS = "? Expected a space-separated sequence of <COLOR> <VERTEX> pairs but got "
PLACEMENT = "? Illegal stone placements - overlapping stones or stones with no liberties?"
BOARD = "= \n   A B\n 2 . .\n 1 X .\nNext player: White\nRules: chinese  Komi: 7.5\nB stones captured: 0\nW stones captured: 0"
TABLE = [
    # administrative
    ("protocol_version", "= 2"),
    ("known_command play", "= true"),
    ("known_command analyze", "= true"),
    ("known_command", "= false"),
    ("known_command play genmove", "= false"),
    # board
    ("boardsize 9; query_boardsize", "= 9"),
    ("boardsize 9 13; query_boardsize", "= 9 13"),
    ("rectangular_boardsize 9:13; query_boardsize", "= 9 13"),
    ("boardsize 9; play b D4; boardsize 9; play w D4", "="),
    ("boardsize", "? boardsize not an integer"),
    ("boardsize x", "? boardsize not an integer"),
    ("boardsize 9.5", "? boardsize not an integer"),
    ("boardsize 1_9", "? boardsize not an integer"),
    ("boardsize 9 9 9", "? boardsize not an integer"),
    ("boardsize " + "9" * 5000, "? boardsize not an integer"),
    ("boardsize 26", "? unacceptable size"),
    ("boardsize 1", "? unacceptable size"),
    ("boardsize -9", "? unacceptable size"),
    ("komi 0; get_komi", "= 0"),
    ("komi -23; get_komi", "= -23"),
    ("komi 50.5; get_komi", "= 50.5"),
    ("komi 1e3; get_komi", "= 1000"),
    ("komi nan", "? komi not a float"),
    ("komi 1e309", "? komi not a float"),
    ("komi 0x10", "? komi not a float"),
    ("komi", "? komi not a float"),
    # moves
    ("play b D4; play w D4", "? illegal move: occupied"),
    ("play b D4; play b D5", "="),
    ("play BLACK d4; play White Q16; play w PASS", "="),
    ("play b resign; undo", "? cannot undo"),
    ("play b I5", BAD_MOVE),
    ("play b A0", BAD_MOVE),
    ("boardsize 9; play b K5", BAD_MOVE),
    ("play purple D4", BAD_MOVE),
    ("play b", BAD_MOVE),
    ("play", BAD_MOVE),
    ("boardsize 5; play w A2; play w B1; play b A1", "? illegal move: suicide"),
    ("undo", "? cannot undo"),
    ("play b D4; play w E5; gg-undo 2; undo", "? cannot undo"),
    ("play b D4; gg-undo 2", "? cannot undo"),
    ("gg-undo -1", "? cannot undo"),
    ("gogui-play_sequence b D4 w E5 b pass; gg-undo 3", "="),
    ("gogui-play_sequence b D4 w D4; play w D4", "="),
    ("gogui-play_sequence b D4 w", BAD_MOVE),
    ("boardsize 5; genmove b", "= A5"),
    ("genmove", "? invalid color"),
    ("genmove purple", "? invalid color"),
    ("boardsize 5; reg_genmove b; reg_genmove b", "= A5"),
    ("boardsize 5; kata-search w; undo", "? cannot undo"),
    ("boardsize 5; kgs-genmove_cleanup w", "= A5"),
    ("boardsize 5; genmove b; gomill-explain_last_move", "= Black A5: 10 visits, 62.5% to win, score +1.5: A5 pass"),
    # set-up
    ("set_position b D4 w E5; play b E5", "? illegal move: occupied"),
    ("play b A1; set_position; play w A1", "="),
    ("set_position b d3 b", PAIRS + "'b d3 b'"),
    ("set_position b d3 w  d4", PAIRS + "'b d3 w  d4'"),
    ("set_position b pass", PAIRS + "'b pass': could not parse vertex: 'pass'"),
    ("set_position b d3 w d3", PLACEMENT),
    ("boardsize 3; set_position b a1 w a2 w b1", PLACEMENT),
    ("boardsize 9; play b D4; set_position b d3 w d3; play w D4", "? illegal move: occupied"),
    ("set_position b d3; undo", "? cannot undo"),
    ("gogui-setup b D4; gogui-setup w E5 w E6; play b E6", "? illegal move: occupied"),
    ("gogui-setup b D4 w D4; play b D4", "="),
    ("boardsize 2; gogui-setup b A1; gogui-setup_player b; showboard", BOARD.replace("White", "Black")),
    ("boardsize 2; gogui-setup b A1; gogui-setup_player w; showboard", BOARD),
    ("gogui-setup_player", "? syntax error: gogui-setup_player takes 1 argument(s), not 0"),
    # handicap
    ("boardsize 9; fixed_handicap 2", "= G7 C3"),
    ("fixed_handicap 9; get_handicap", "= 9"),
    ("fixed_handicap 1", "? invalid number of stones"),
    ("fixed_handicap 10", "? invalid number of stones"),
    ("fixed_handicap x", "? invalid number of stones"),
    ("fixed_handicap", "? invalid number of stones"),
    ("boardsize 5; fixed_handicap 2", "? invalid number of stones"),
    ("play b D4; fixed_handicap 2", "? board not empty"),
    ("play b D4; set_free_handicap C3 G7", "? board not empty"),
    ("set_free_handicap C3 G7; get_handicap", "= 2"),
    ("set_free_handicap C3", "? bad vertex list"),
    ("set_free_handicap C3 C3", "? bad vertex list"),
    ("set_free_handicap C3 pass", "? bad vertex list"),
    ("set_free_handicap C3 Z99", "? bad vertex list"),
    ("boardsize 2; set_free_handicap a1 b1 a2 b2", "? bad vertex list"),
    # time
    ("time_settings 60 10 3; time_left b 40 0; time_left w -5 1", "="),
    ("time_settings 0 0 0; genmove b", "= A19"),
    ("time_settings 60", "? syntax error: 3 argument(s) wanted, not 1"),
    ("time_settings -1 0 0", "? syntax error"),
    ("time_settings x 0 0", "? syntax error"),
    ("time_settings 1e30 1 1000000000000", "="),
    ("time_left purple 1 0", "? syntax error"),
    ("time_left b 1", "? syntax error: 3 argument(s) wanted, not 2"),
    ("kgs-time_settings none", "="),
    ("kgs-time_settings absolute 60", "="),
    ("kgs-time_settings byoyomi 20.5 5.8 5; time_left b 10 7", "="),
    ("kgs-time_settings canadian 5 10 3", "="),
    ("kgs-time_settings canadian", "? syntax error: 3 argument(s) wanted, not 0"),
    ("kgs-time_settings fischer 1 1", "? unknown time system 'fischer'; there are: none absolute byoyomi canadian"),
    ("kgs-time_settings", "? unknown time system ''; there are: none absolute byoyomi canadian"),
    ("kata-time_settings fischer 62.5 2.5", "="),
    ("kata-time_settings fischer-capped 60 10 -1 1e15", "="),
    ("kata-list_time_settings", "= none absolute byoyomi canadian fischer fischer-capped"),
    # rules
    ("kata-set-rules japanese; kata-get-rules", '= {"friendlyPassOk":false,"hasButton":false,"ko":"SIMPLE",'
     '"scoring":"TERRITORY","suicide":false,"tax":"SEKI","whiteHandicapBonus":"0"}'),
    ("kata-set-rules chinese; kata-get-rules", '= {"friendlyPassOk":true,"hasButton":false,"ko":"SIMPLE",'
     '"scoring":"AREA","suicide":false,"tax":"NONE","whiteHandicapBonus":"N"}'),
    ("kgs-rules chinese; kata-get-rules", '= {"friendlyPassOk":true,"hasButton":false,"ko":"POSITIONAL",'
     '"scoring":"AREA","suicide":false,"tax":"NONE","whiteHandicapBonus":"N"}'),
    ("kgs-rules new_zealand; kata-get-rules", '= {"friendlyPassOk":true,"hasButton":false,"ko":"SITUATIONAL",'
     '"scoring":"AREA","suicide":true,"tax":"NONE","whiteHandicapBonus":"0"}'),
    ('kata-set-rules {"ko":"SITUATIONAL","suicide":true,"hasButton":true}; kata-get-rules',
     '= {"friendlyPassOk":false,"hasButton":true,"ko":"SITUATIONAL","scoring":"AREA","suicide":true,"tax":"NONE",'
     '"whiteHandicapBonus":"0"}'),
    ("kata-set-rules chinese; kata-set-rule tax seki; kata-get-rules", '= {"friendlyPassOk":true,"hasButton":false,'
     '"ko":"SIMPLE","scoring":"AREA","suicide":false,"tax":"SEKI","whiteHandicapBonus":"N"}'),
    ("kata-set-rules nonsense", "? Unknown rules 'nonsense'"),
    ("kata-set-rules", "? Unknown rules ''"),
    ('kata-set-rules {"ko":7}', """? Unknown rules '{"ko":7}'"""),
    ("kata-set-rules " + "[" * 5000, "? Unknown rules '" + "[" * 57 + "...'"),
    ("kata-set-rule tax", "? Expected a rule and its value"),
    ("kata-set-rule colour red", "? Unknown rules option 'colour'"),
    ("kgs-rules ing", "? Unknown rules 'ing'"),
    # scoring
    ("boardsize 5; komi 0.5; final_score", "= W+0.5"),
    ("boardsize 5; komi 0; final_score", "= 0"),
    ("boardsize 5; komi 0; play b C3; final_score", "= B+25"),
    ("boardsize 5; play b C3; play w A1; final_status_list alive", "= C3\nA1"),
    ("final_status_list dead", "="),
    ("final_status_list", "? invalid status ''; there are: alive dead seki"),
    ("final_status_list maybe", "? invalid status 'maybe'; there are: alive dead seki"),
    ("boardsize 2; tengen-ownership", "= \n0.25 0.25\n0.25 0.25"),
    # parameters
    ("kata-get-param maxVisits", "= 1000000000000000"),
    ("kata-set-param maxVisits 4321; kata-get-param maxVisits", "= 4321"),
    ("kata-set-param maxVisits 4321; kata-get-param maxPlayouts", "= 1000000000000000"),
    ("kata-set-param maxTime 0.5; kata-get-param maxTime", "= 0.5"),
    ("kata-set-param numSearchThreads 2; kata-get-param numSearchThreads", "= 2"),
    ("kata-set-param allowResignation false; kata-get-param allowResignation", "= false"),
    ("kata-set-param allowResignation false; kata-set-param allowResignation true; kata-get-param allowResignation", "= true"),
    ('kata-set-params {"maxVisits":9,"ponderingEnabled":true}; kata-get-param ponderingEnabled', "= true"),
    ("kata-get-param playoutDoublingAdvantage", "= 0"),
    ("kata-set-param analysisWideRootNoise 0", "="),
    ("kata-set-param analysisWideRootNoise x", "? Could not set params: analysisWideRootNoise must be a number, not 'x'"),
    ("kata-set-param humanSLProfile rank_10k", "? Invalid parameter: 'humanSLProfile'"),
    ("kata-set-param dynamicPlayoutDoublingAdvantageCapPerOppLead 0.045",
     "? Invalid parameter: 'dynamicPlayoutDoublingAdvantageCapPerOppLead'"),
    ("kata-set-param maxVisits 0", "? Could not set params: maxVisits must be a whole number from 1, not '0'"),
    ("kata-set-param maxVisits 1.5", "? Could not set params: maxVisits must be a whole number from 1, not '1.5'"),
    ("kata-set-param maxVisits x", "? Could not set params: maxVisits must be a whole number from 1, not 'x'"),
    ("kata-set-param maxVisits", "? Expected a parameter and its value"),
    ("kata-set-params [1]", "? Expected a JSON object of parameters"),
    ('kata-set-params {"maxVisits":9,"x":1}; kata-get-param maxVisits', "= 1000000000000000"),
    ("kata-set-param allowResignation perhaps", "? Could not set params: allowResignation must be true or false, not 'perhaps'"),
    ("kata-set-param allowResignation off; kata-get-param allowResignation", "= false"),
    ("kata-set-param numSearchThreads 257",
     "? Could not set params: numSearchThreads must be a whole number from 1 to 256, not '257'"),
    ("kata-get-param level", "= full"),
    ("kata-set-param level 3; kata-get-param level", "= 3"),
    ("kata-set-param level 3; kata-set-param level full; kata-get-param level", "= full"),
    ("kata-set-param level 11", "? Could not set params: level must be one of 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, full, not '11'"),
    ("tengen-param ponderingEnabled 1; kata-get-param ponderingEnabled", "= true"),
    ("tengen-param numSearchThreads 1; tengen-param level 3; tengen-param", "= \n[string] maxVisits 1000000000000000\n[string] maxPlayouts 1000000000000000\n"
     "[string] maxTime 1e+15\n[string] numSearchThreads 1\n[bool] allowResignation 1\n[string] resignThreshold -0.9\n"
     "[bool] ponderingEnabled 0\n[string] chosenMoveTemperature 0\n[list/1/2/3/4/5/6/7/8/9/10/full] level 3"),
    # gogui
    ("gogui-interrupt", "="),
    ("gogui-rules_game_id", "? gogui-rules_game_id is not for go"),
    ("known_command gogui-rules_board", "= false"),
    ("boardsize 5; tengen-search_gfx", "= TEXT no search of this position"),
    ("boardsize 5; genmove b; tengen-search_gfx",
     "= \nINFLUENCE A5 0.25\nLABEL A5 9\nVAR w pass\nTEXT Black A5: 10 visits, 62.5% to win"),
    ("boardsize 5; genmove w; tengen-search_gfx",
     "= \nINFLUENCE A5 -0.25\nLABEL A5 9\nVAR b pass\nTEXT White A5: 10 visits, 62.5% to win"),
    ("boardsize 5; reg_genmove b; tengen-search_gfx",
     "= \nINFLUENCE A5 0.25\nLABEL A5 9\nVAR b A5 w pass\nTEXT Black A5: 10 visits, 62.5% to win"),
    ("boardsize 5; genmove b; play w E5; tengen-search_gfx", "= TEXT no search of this position"),
    ("boardsize 5; genmove b; boardsize 5; tengen-search_gfx",
     "= \nINFLUENCE A5 0.25\nLABEL A5 9\nVAR b A5 w pass\nTEXT Black A5: 10 visits, 62.5% to win"),
    ("boardsize 5; genmove b; boardsize 7; tengen-search_gfx", "= TEXT no search of this position"),
    ("boardsize 5; genmove b; play w E5; gomill-explain_last_move", "="),
    ("boardsize 5; tengen-best_line", "= A5 pass"),
    ("boardsize 5; genmove b; tengen-best_line w", "= B5 pass"),
    ("boardsize 5; genmove b; tengen-best_line b", "= B5 pass"),
    ("boardsize 5; genmove b; tengen-best_line w; undo; undo", "? cannot undo"),
    ("boardsize 5; play b pass; play w pass; tengen-best_line b", "="),
    ("tengen-best_line x", "? invalid color"),
    ("boardsize 2; play b A1; showboard", BOARD),
    # analysis tags
    ("lz-analyze x", "? cannot parse analyze tags"),
    ("lz-analyze b 10 avoid", "? cannot parse analyze tags"),
    ("lz-analyze b 10 avoid b D4,Z9 1", "? cannot parse analyze tags"),
    ("lz-analyze b 10 avoid b D4 0", "? cannot parse analyze tags"),
    ("lz-analyze b -10", "? cannot parse analyze tags"),
    ("kata-analyze b 10 ownership maybe", "? cannot parse analyze tags"),
    ("kata-genmove_analyze b interval", "? cannot parse analyze tags"),
]  # fmt: skip


@pytest.mark.parametrize("lines, expected", TABLE, ids=[lines[:60] for lines, _ in TABLE])
def test_response(lines: str, expected: str) -> None:
    assert say(*lines.split("; "))[-1] == expected
    assert say.stderr == ""


def test_a_parameter_without_effect_is_kept_and_told_once() -> None:
    set_it = "kata-set-param analysisWideRootNoise 0.04"
    assert say(set_it, set_it, "kata-get-param analysisWideRootNoise") == ["=", "=", "= 0.04"]
    assert say.stderr == "Tengen: analysisWideRootNoise has no effect\n"


def test_name_and_version_come_from_the_options() -> None:
    config = Config(name="KataGo", version_string="1.17")
    assert say("name", "version", config=config) == ["= KataGo", "= 1.17"]


def test_the_list_is_complete_unique_and_without_the_misread_names() -> None:
    listed = say("list_commands")[0].removeprefix("= ").split("\n")
    assert len(set(listed)) == len(listed) and all(" " not in name for name in listed)
    needed = """protocol_version name version known_command list_commands quit boardsize clear_board komi play genmove
        undo set_free_handicap fixed_handicap place_free_handicap time_settings time_left final_score final_status_list
        loadsgf printsgf showboard reg_genmove gogui-interrupt gogui-analyze_commands gogui-play_sequence cputime
        lz-analyze kata-analyze lz-genmove_analyze kata-genmove_analyze kata-set-rules kgs-genmove_cleanup"""
    assert set(needed.split()) <= set(listed)
    assert not {"analyze", "genmove_analyze"} & set(listed)


def test_every_analyze_command_of_gogui_exists() -> None:
    listed = say("list_commands")[0].split("\n")
    for line in say("gogui-analyze_commands")[0].removeprefix("= ").split("\n"):
        kind, label, words = line.split("/")
        assert kind in ("dboard", "gfx", "varc", "plist", "string", "param", "none") and label
        assert words.split()[0] in listed


def test_how_commands_ask_for_moves() -> None:
    player = FakePlayer()
    say("boardsize 5", "genmove b", "kgs-genmove_cleanup w", "reg_genmove b", "kata-search w", player=player)
    assert player.asked == [
        MoveRequest(0),
        MoveRequest(1, resign=False, cleanup=True),
        MoveRequest(0, play=False, resign=False, fresh=True),
        MoveRequest(1, play=False),
    ]


def test_a_resignation() -> None:
    player = FakePlayer()
    info = player._info(0)
    player.genmove = lambda *words, **options: (lambda: type("D", (), {"move": None, "info": info, "notice": ""}))()
    assert say("genmove b", "lz-genmove_analyze w 50", player=player) == ["= resign", "=\nplay resign"]
