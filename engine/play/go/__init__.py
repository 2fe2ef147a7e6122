"""A live game of Go: a line of moves as protocols give it, and what KataGo's networks see and say."""
