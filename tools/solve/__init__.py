"""Exact endings of Reversi: problems of a file, what the solver finds, whether the file agrees."""
