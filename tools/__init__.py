"""Programs that a person runs: the command line and one module or folder for each command."""
