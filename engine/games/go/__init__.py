"""Go: facts, rules by name, text of moves, handicap, counting, passing and the end of a game."""
