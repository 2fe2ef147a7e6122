"""A game written only against the contracts: rules in C++ (morris.hpp), facts in Python (game.py)."""
