"""Matches between two players of our own in one process: the evidence for levels, defaults and tuning.

Openings, settings, statistics and the runner of jobs are those of every match; the referee is not asked, for our own
players share the rules. `python -m tengen.tools.match.own` is the command line.
"""
