"""Game records: text to moves and back. `base.Record` is the value; `sgf` reads and writes SGF."""
