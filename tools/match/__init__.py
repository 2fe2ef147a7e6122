"""Matches and tournaments: `tengen match`, `tournament` and `rate`, and matches of our own players in one process.

spec, clock, notation: the nouns. drivers: engines of every protocol. openings: how games begin. game: the referee and
the rules. settings: tables to a run. run: its games, folder and progress. statistics: scores to ratings. report: what
is shown of it. own: our own players. Imports go from the later to the earlier; the commands (command,
tournament, rate) stand above all.
"""
