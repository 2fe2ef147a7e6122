"""What games say about strength: Elo of two (`elo`), a test that stops itself (`sprt`), ratings of all (`ratings`)."""
