"""Strength from the results of games: Elo of two (`elo`), a test that stops itself (`sprt`), ratings of all
(`ratings`), opponents of known rating (`known`)."""
