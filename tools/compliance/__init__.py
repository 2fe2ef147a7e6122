"""`tengen compliance`: drives any engine through its protocol and says in words what it does wrong.

finding     what is found: a sentence, whom it hurts, the shortest lines that show it
process     the engine in a scratch folder and a process group of its own
check       the table of dialogues with their right answers, and how a row is asked
dialect     what a protocol adds: sentinel, comments, framing, valid lines; gtp, gomocup, nboard and uci are its tables
lines       mutated and hostile lines
hostile     batches of them, and the shortest part of one that still kills the engine
lifecycle   start, end, end of input, last line
examine     the whole examination
command     the command line
"""
