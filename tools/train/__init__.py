"""`tengen train`, `selfplay` and `export`: networks that learn from games.

data: games as they are kept and the rows that a network learns from.
"""
