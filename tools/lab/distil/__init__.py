"""The laboratory of Go's networks on a GPU: a strong network labels positions, a small one learns from them."""
