"""Games of people: found below folders, read from any record, rated, made what is learned from."""
