"""What the protocols of chess share: UCI and XBoard's protocol say the same things in other words.

options: what a GUI can set, and the values in force · values: reading them · named_files: files that options name ·
position: the game that the GUI shows · timing: clocks · asked: what bounds a search · search: one search from its task
to its move · background: what runs beside the conversation · report: what a search has found · tables: opening book and
endgame tables · engine: the player behind it all · conversation: what every handler keeps.
"""
