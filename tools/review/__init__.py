"""`tengen review`: a game of Go as a network sees it: an annotated SGF, a picture of it, its mistakes.

command: the command line · analysing: what the network says of every position · judging: what each move cost ·
annotating: the SGF · canvas, picture: the picture · table: what the terminal shows.
"""
