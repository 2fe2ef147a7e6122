"""A run: its folder and what of it counts, the loop, the network that learns."""
