"""The settings of a run: its sections, presets and what the networks of a game are."""
