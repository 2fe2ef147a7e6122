"""Games of people to learn from: found below folders, read from any record, rated."""
