"""Gomoku's games by alpha-beta, to learn an evaluation of lines from."""
