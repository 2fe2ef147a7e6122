"""A game written only against the contracts: rules in C++ (tictactoe.hpp), facts in Python (game.py)."""
