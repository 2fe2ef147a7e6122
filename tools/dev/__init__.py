"""What only developers of this repository run, by `python -m tengen.tools.dev.NAME`."""
