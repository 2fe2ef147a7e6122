"""A live game and the one who plays it: requests, the clock, how a search's report becomes a move.

`player` is what protocols drive: a `live_game` with somebody who plays it. It makes a `situation` of its game and gives
it to `decisions`, which turns a `request` into a `budget` and a move: `choice` and `resignation` say which,
`side_questions` answers what is beside the game. `searches` holds what searches, `running` runs it in threads, `levels`
says how strongly, `clock` shares out the time that `time_control` says, `setup` places stones.
"""
