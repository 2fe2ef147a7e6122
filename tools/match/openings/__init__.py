"""Openings of games: openings of files and books, or drawn from a seed."""
