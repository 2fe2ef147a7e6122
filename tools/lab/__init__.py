"""Laboratories in which networks are trained; developers run them from a checkout, and wheels do not hold them."""
