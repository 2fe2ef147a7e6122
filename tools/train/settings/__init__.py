"""What a run is told: its sections, presets and what the networks of a game are."""
