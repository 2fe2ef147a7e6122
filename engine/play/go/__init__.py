"""What only a live game of Go needs: a line of moves as protocols give it, and what KataGo's networks see and say."""
