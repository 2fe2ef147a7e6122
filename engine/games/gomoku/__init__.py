"""Gomoku: facts, rules by name and text of moves."""
