"""A run: games handed out and recorded, its folder, what a person sees meanwhile."""
