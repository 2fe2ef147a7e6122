"""Chess positions to learn from: of the games of people, labelled by searches, and of games that a network plays."""
