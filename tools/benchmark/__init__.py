"""`tengen benchmark`: which threads and batches let a player think fastest on this machine."""
