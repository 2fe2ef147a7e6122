"""Suites of Gomoku positions in which the loser of a game could last hold it: `tengen defence`."""
