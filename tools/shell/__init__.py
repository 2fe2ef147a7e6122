"""What a shell and `man` are told of the commands: completion scripts and the manual page, from the parsers."""
