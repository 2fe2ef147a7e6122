"""Boards of Go where everything is decided, for tests of the end of a game."""

SETTLED = """
. X . X O . O
X X . X O O O
. . . X O . .
X X X X O O O
. . . X O . .
X X . X O O O
. X . X O . O
"""
"""Both alive unconditionally; black has 28 points on the board, white 21."""
DEAD_STONE = SETTLED.replace("\n. . . X O . .\nX X X X", "\n. O . X O . .\nX X X X", 1)
"""A dead white stone at B5: as it stands black has 23, white 22; without it 28 and 21."""
