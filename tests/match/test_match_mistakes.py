"""`tengen match` with words that make no match: one sentence for each, and nothing is written."""

from __future__ import annotations

from pathlib import Path

import pytest

from tengen.tools import cli

# The words after `tengen match`, and a part of the one sentence.
MISTAKES = """
| give two engines, there is none: a player of ours by --player uct, any program by --engine command='...'
--game go | give two engines, there is none
--player uct | give two engines, there is only one
--player uct --player rollout --player random | a match has two engines, not 3: use 'tengen tournament'
--player uct --player uct | two engines are called 'uct'
--player uct --player ucd | no player 'ucd' (did you mean 'uct'?); it has uct, rollout, puct, policy, value, clevergo, random
--player uct --player foo | go has no player 'foo'; it has uct, rollout, puct, policy, value, clevergo, random
--player uct --player rollout --rules renju --out x | Unknown rules 'renju': that is one of gomoku (--game gomoku); go has chinese,
--player uct --engine name=b cmd=b time=x --out x | engine 'b': time must be a number from 0.001 to 1000000, not 'x'
--player uct --engine name=b cmd=b time=turn=1 --tc 9 --out x | engine 'b': time must be a number from 0.001 to 1000000, not 'turn=1'
--game reversi --player uct --engine name=b cmd=b proto=nboard --each time=1 --out x | engine 'b': time: cannot be told over nboard (give a clock, tc=60)
--player uct --player rollout | give --out DIR
--player uct --player rollout --game chss --out x | game: 'chss' is none of go, gomoku, reversi, chess (did you mean 'chess'?)
--player uct --player rollout --size 26 | 26 is not between 2 and 25
--player uct --player rollout --game reversi --size 9 --out x | there is no reversi on 9x9
--player uct --player rollout --game gomoku --komi 3 --out x | gomoku has none
--player uct --player rollout --rules chinees --out x | Unknown rules 'chinees'
--player uct --player rollout --games 7 --out x | must be even
--player uct --player rollout --tc soon --out x | 'soon' is no time control
--player uct --player rollout --sprt elo0=5 elo1=0 --out x | elo0 (5) is not below elo1 (0)
--player uct --player rollout --sprt elo0=5 --out x | elo1 is missing
--player uct --player rollout --sprt elo2=5 --out x | 'sprt.elo2' (did you mean
--player uct --player rollout --adjudicate resign=5 --out x | 'adjudication.resign' (did you mean 'resign
--player uct --player rollout --openings nowhere.sgf --out x | cannot read the openings 'nowhere.sgf'
--player uct --engine name=arbiter cmd=b --cleanup arbiter --arbiter cmd=c --out x | two engines are called 'arbiter'
--player uct --player rollout --cleanup arbiter --out x | belong together
--player uct --engine name=b cmd=b playout=3 --out x | engine 'b': unknown setting 'playout'
--player uct --engine name=b player=uct playout=3 --out x | unknown setting 'playout' (did you mean 'playouts'?)
--player uct --engine name=b cmd=b proto=usi --out x | 'usi' is no protocol
--player uct --engine name=b --out x | give a command, or a player of ours
--player uct --engine b --out x | 'b' is not of the form name=value
--player uct --engine name=b player=uct level=11 --out x | engine 'b': level: the player 'uct' of go has no level 11; it has 1, 2
--player uct --engine name=b player=uct mcts.c=x --out x | engine 'b': mcts.c must be a number from 0 to 10, not 'x'
--player uct --engine name=b player=uct mcts.d=1 --out x | engine 'b': unknown option 'mcts.d' (did you mean 'mcts.c'?)
--player uct --engine name=b player=uct cpus=x --out x | cpus: 'x' is not of the form 0-3,6
--player uct --engine name=b cmd=b option.Hash=64 --out x | engine 'b': option: cannot be told over gtp
--player uct --engine name=b cmd=b depth=3 --out x | engine 'b': depth: cannot be told over gtp
--game reversi --player uct --engine name=b cmd=b proto=nboard nodes=3 --out x | nodes: cannot be told over nboard
--player uct --engine name=b cmd=b mcts.c=1 --out x | engine 'b': 'mcts.c' is a setting of our players
--player uct --engine name=b player=uct cpus=3-1 --out x | cpus: '3-1' is not of the form 0-3,6
--player uct --player rollout --adjudicate resign_moves=3 resign_score=0.95 --out x | resign_score must be a number from -1 to -0.01, not '0.95'
--player uct --player rollout --adjudicate resign_moves=three --out x | resign_moves must be a whole number from 1 to 1000, not 'three'
--player uct --player rollout --adjudicate draw_score=0.1 --out x | draw_score does nothing without draw_moves
--player uct --player rollout --sprt elo0=0 elo1=inf --out x | elo1 must be a number from -2000 to 2000, not 'inf'
--player uct --player rollout --sprt elo0=0 elo1=300 --out x | elo1 (300) is more than normalized Elo can hold; choose one from -200 to 200
--player uct --player rollout --sprt elo0=0 elo1=9 alpha=1 --out x | alpha and beta must lie between 0 and 0.5
--player uct --player rollout --sprt elo0=nan elo1=9 --out x | elo0 must be a number from -2000 to 2000, not 'nan'
--player uct --player rollout --sprt elo0=zero elo1=9 --out x | elo0 must be a number from -2000 to 2000, not 'zero'
--player uct --player rollout --komi nan --out x | komi must be a number from -10000 to 10000, not 'nan'
--player uct --player rollout --tc 0+1 --out x | no time for the first move
--player uct --player rollout --tc move=0 --out x | no time for the first move
--player uct --player rollout --transform --out x | transform: the random openings have no images
--player uct --player rollout --game gomoku --cleanup none --out x | gomoku has no dead stones
--player uct --player rollout --game reversi --plies 100 --out x | random openings of 100 moves end the game
--game chess --engine name=a cmd=a --engine name=b cmd=b --size 9 --out x | size: there is no chess on 9x9
--game chess --engine name=a cmd=a --engine name=b cmd=b --rules fast --out x | Unknown rules 'fast'; chess has standard, chess960
--config nowhere.toml | cannot read 'nowhere.toml'
--out nowhere | 'nowhere' is no folder of a match
--concurency 3 | unknown option --concurency (did you mean '--concurrency'?)
reprot x | is no action
report nowhere | 'nowhere'
"""


@pytest.mark.parametrize("row", MISTAKES.strip().splitlines())
def test_mistakes_are_one_sentence(
    row: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    words, _, sentence = f" {row}".partition(" | ")
    monkeypatch.chdir(tmp_path)
    assert cli.main(["match", *words.split()]) == 2
    out, err = capsys.readouterr()
    assert sentence in err and err.count("\n") == 1 and not out
    assert not list(tmp_path.iterdir())
