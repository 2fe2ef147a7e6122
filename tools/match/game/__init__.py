"""One game between two engines: the referee, and the judges who know the rules."""
