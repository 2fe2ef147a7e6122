"""The laboratory of people's moves in Go: a network learns to expect them, and stays elsewhere as it was."""
