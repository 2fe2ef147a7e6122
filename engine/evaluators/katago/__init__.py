"""KataGo's networks: reading their files, running them, and what their outputs mean."""
