"""Chess: facts, text of moves and of positions (FEN), levels, opening books and endgame tables."""
