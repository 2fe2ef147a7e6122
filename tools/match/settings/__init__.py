"""What a run shall be: flags and TOML to values, engines, pairs of games."""
