"""The targets that networks learn: one row for each, in the order of the losses in reports. This module needs no torch.

A target has a loss, and a share of the whole loss that is also a setting of a run (`losses.NAME`). What it should be
is a field of a batch (`nets.batches.Batch`), an array that files of games keep for labelled positions (`stored`), or
what `tools/train/data/targets.py` computes from the game (`ENCODERS`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

UNKNOWN = -128
"""A whole number of a stored array that nobody knows; of real numbers it is NaN."""
HEADS = ("number", "points")
"""Heads that `nets.heads.OwnHead` builds: a number for the position (n), or one for each point (n x points)."""


@dataclass(frozen=True)
class Stored:
    """An array that files keep for each position that was labelled; a batch has it by the same name.

    name: in files. says: the outputs of a teacher that fill it, by their names in `Evaluation.extras`: a number each;
    of an array with `is_board` one output, a number for each point, which turns with the board. kind: its type in
    files, "<f4" or "i1". is_black: kept as Black's, told to the side to move. unit: what 1 in the file is worth. most:
    the largest number in the file. into: the field of a batch whose place it takes where it is known; "": none.
    """

    name: str
    says: tuple[str, ...]
    kind: str = "<f4"
    is_board: bool = False
    is_black: bool = False
    unit: float = 1.0
    most: float = 1e30
    into: str = ""


@dataclass(frozen=True)
class Target:
    """One thing that a network learns to answer. Its key in `TARGETS` is its name in the answers of a model.

    weight: the usual share of its loss. doc: what it is, in the settings. loss: a kind of `nets.losses.KINDS`; "": the
    function of its name in `nets.losses.LOSSES`. delta: where a Huber loss becomes linear. stored: what files keep for
    it. head: one of `HEADS`, for a target whose head is not a part of the model anyway. Such a head is learned and
    never exported. A network has it if the run gives its loss a share. The usual share is 0, so that older checkpoints
    still fit.
    """

    weight: float
    doc: str
    loss: str = ""
    delta: float = 1.0
    stored: Stored | None = None
    head: str = ""


OWNERS = Stored("taught_owners", ("ownership",), "i1", is_board=True, is_black=True, unit=0.01, most=100, into="owners")
"""Whose each point will be, from -1 (White's) to 1 (Black's)."""
SAYS = Stored("taught_says", ("score_mean", "score_stdev", "shortterm_value_error", "shortterm_score_error"))
"""Mean and standard deviation of the margin at the end, in the game's unit, and the errors to expect of a teacher's
value (-1 to 1) and lead."""

TARGETS: dict[str, Target] = {
    "policy": Target(1.0, "the policy"),
    "next_policy": Target(0.15, "the opponent's reply"),
    "soft_policy": Target(8.0, "the softened policy"),
    "value": Target(1.2, "the result"),
    "score": Target(0.006, "the lead"),
    "score_mean": Target(0.0015, "the mean of the margin", delta=12.0, stored=SAYS),
    "score_stdev": Target(0.001, "its standard deviation", delta=10.0, stored=SAYS),
    "ownership": Target(1.5, "who owns each point", stored=OWNERS),
    "value_error": Target(2.0, "the error to come of the value", delta=0.4, stored=SAYS),
    "score_error": Target(0.00002, "the error to come of the lead", delta=100.0, stored=SAYS),
    "evaluation": Target(0.01, "the margin, of patterns"),
}
"""Shares are KataGo's figures (the module metrics_pytorch of its training), margins in the game's unit."""


def stored() -> Mapping[str, Stored]:
    """Return the arrays that files keep for labelled positions, by name."""
    found = {one.stored.name: one.stored for one in TARGETS.values() if one.stored}
    return dict(sorted(found.items()))
