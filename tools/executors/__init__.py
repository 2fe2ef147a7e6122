"""The one interface for long work: units that make a file each, done by processes of this machine or by others."""
