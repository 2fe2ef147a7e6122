"""Gomoku: facts, rules by name, text of moves and levels."""
