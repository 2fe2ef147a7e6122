"""`tengen match`: engine against engine over GTP, Gomocup, NBoard and UCI, judged by rules of our own."""
