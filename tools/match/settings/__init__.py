"""The settings of a run: flags and TOML to values, engines, pairs of games."""
