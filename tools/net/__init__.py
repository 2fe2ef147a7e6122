"""`tengen net`: the networks on this machine."""
