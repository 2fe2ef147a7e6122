"""Weights from a complete set of positions, and how well such weights and networks foretell."""
