"""The command lines of `tengen train`, `selfplay` and `export`."""
