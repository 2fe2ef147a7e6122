"""`tengen train`, `selfplay` and `export`: networks that learn from games (docs/train.md).

The rooms, lowest first: settings (of a run), data (games as they are kept and the rows that a network learns from),
records (games of people), teaching (lessons), chess (labelled positions), play (units of work; `tools/executors` has
who does them), run (a run's folder and its loop), show (what is told), fitting (weights from a complete set), commands.
"""
