"""`tengen tune`: better numbers for a player by games against itself (docs/tune.md).

space: the options to tune and their scales. spsa: the optimiser. tuner: the run. report: what it writes. command: the
command line.
"""
