"""Balanced openings of Gomoku, found by our own search: `tengen openings`."""
