"""How games begin: openings of files and books, or drawn from a seed."""
