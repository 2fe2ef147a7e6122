"""Programs for developers of this repository, run by `python -m tengen.tools.dev.NAME`."""
