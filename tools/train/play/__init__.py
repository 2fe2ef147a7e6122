"""Games of a run, as units of work: self-play, lessons, matches; labels of another engine."""
