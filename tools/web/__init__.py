"""`tengen web`: a page on this machine to play, analyse, review and read photos; nothing is loaded from elsewhere."""
