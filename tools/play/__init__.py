"""`tengen play` and `tengen watch`: a game in the terminal, and what every board that people play on shares."""
