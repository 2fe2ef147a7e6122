"""A live game and the one who plays it: requests, the clock, how a search's report becomes a move.

`player` is what protocols drive; `deciding` turns a `request` into limits and a move, `choice` and `levels` say which
of the search's moves, `brain` and `thinking` run searches in threads, `clock` shares out the time.
"""
