"""KataGo's networks: reading their files, running them, and what their outputs mean."""

KATAGO_GAME, KATAGO_FEATURES = "go", "katago-v7"
"""The game of these networks, and their feature set."""
