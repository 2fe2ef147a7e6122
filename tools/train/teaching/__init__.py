"""A teacher's lessons: games that a strong network of Go labels position by position, for another one to learn from."""
