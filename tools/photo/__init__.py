"""From a picture of a board to a position: load -> find -> rectify -> read -> write, each stage usable alone.

`load` makes pixels of a file, `find` a lattice in them, `read` stones on the lattice, `write` a position file and the
picture to check it by; `pipeline` joins them and `command` is `tengen photo`. `tools/lab/photo` draws boards to learn
from, trains the networks and measures them.
"""
