"""`tengen train`, `selfplay` and `export`: networks that learn from games (docs/train.md).

config, preset: settings. runs, manifest, places: what is kept, and where. cycle: the loop, by plan
(units of work), work (generate, matches; `tools/executors` has who does it) and learning (learn: by torch). strength,
progress, plots, insight, report: what is told. rated: games between networks of a run, beside it. data: games as they
are kept and the rows that a network learns from.
"""
