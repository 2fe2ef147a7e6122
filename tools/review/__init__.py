"""`tengen review`: a game, looked at move by move: an annotated file, a picture, its mistakes.

command: the command line · games: which games of a file · position: what is known of a position, of every game the
same · go: what a network says of positions · reversi: what alpha-beta and the solver do · ahead: what alpha-beta does,
in chess and gomoku · grading: how bad a loss is · move_costs: what each move cost · annotating: the SGF · writing: what
is written, in which format · canvas, plot, picture: the picture · table: what the terminal shows.
"""
