"""A driven engine: a program at the other end of three pipes, for matches and examinations (`tengen compliance`).

process: the program itself, for an event loop. blocking: the same for callers without one. lines: bytes to bounded
lines. keeper: no orphan remains. measure: what it uses of the machine. What is said to an engine is the user's affair.
"""
