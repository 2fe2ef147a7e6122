"""Reports of a run: while it is at work, as tables, as a page."""
