"""The player: rules, search, evaluation. The layers, each of which imports only those above it in this list:

core, _core   C++: boards, playouts, trees; the bindings are its face
values        config, limits, info, clock, version, cpu: plain values
games         GAMES: facts, rules and text of moves; records: stored games
evaluators    what a search asks about a position it does not look beyond: networks, weights, back ends
search        SEARCHES: what chooses a move
player        a live game: history, clock and search; what every protocol drives
"""

from tengen.engine import cpu

cpu.choose(__path__, cpu.present())
cpu.check()
