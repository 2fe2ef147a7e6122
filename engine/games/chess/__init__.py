"""Chess: facts, text of moves and of positions (FEN), levels, and what is read of books and endgame tables."""
