"""Reversi: facts, text of moves, levels and the numbers of the player `mix`."""
