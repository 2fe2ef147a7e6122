"""`tengen compliance`: drive any engine through its protocol and describe its errors in words.

finding     what is found: a sentence, whom it hurts, the shortest lines that show it
process     the engine in a scratch folder and a process group of its own
transcript  what went over the pipes
check       a row of the table of dialogues, and what a right answer to it is
dialect     what a protocol adds: sentinel, comments, framing, valid lines; one in each of gtp (gtp_table), gomocup,
            nboard, uci, xboard
row         asking one row, and lines that nobody asked for
lines       mutated and hostile lines
hostile     batches of them, and the shortest part of one that still kills the engine
lifecycle   start, end, end of input, last line
examine     the whole examination
command     the command line
"""
