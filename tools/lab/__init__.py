"""What developers run from a checkout and what no wheel holds: the laboratories in which networks are trained."""
