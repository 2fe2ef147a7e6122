"""Back ends that are wrong in bf16, as some CPUs are."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from tengen.engine.evaluators.backends.base import ModelSource
from tengen.engine.evaluators.backends.openvino import OpenVinoBackend

AT = "half_right"


class Wrong(OpenVinoBackend):
    """In bf16 the first number of each row is another."""

    def __init__(self, model: ModelSource, name: str, **settings: Any) -> None:
        super().__init__(model, name, **{**settings, "precision": "f32"})
        self._is_wrong = settings["precision"] == "bf16"

    @staticmethod
    def fast_precisions() -> tuple[Any, ...]:
        return "f32", "bf16"

    def submit(self, inputs: Any) -> Any:
        ticket = super().submit(inputs)
        return Spoilt(ticket, self.spoilt) if self._is_wrong else ticket

    def spoilt(self, answers: Mapping[str, Any]) -> dict[str, Any]:
        return {name: rows + 5 * (np.arange(rows.shape[-1]) == 0).astype(np.float32) for name, rows in answers.items()}


class Failing(Wrong):
    """In bf16 it says what is no number."""

    def spoilt(self, answers: Mapping[str, Any]) -> dict[str, Any]:
        return {name: np.full_like(rows, np.nan) for name, rows in answers.items()}


class Right(Wrong):
    """In bf16 it is right."""

    def spoilt(self, answers: Mapping[str, Any]) -> dict[str, Any]:
        return dict(answers)


class Slow(Right):
    """It is not faster in bf16."""

    @staticmethod
    def fast_precisions() -> tuple[Any, ...]:
        return ("f32",)


class Rounding(OpenVinoBackend):
    """It is right, and fastest in 8 bits."""

    @staticmethod
    def fast_precisions() -> tuple[Any, ...]:
        return "f32", "bf16", "int8"

    def __init__(self, model: ModelSource, name: str, **settings: Any) -> None:
        super().__init__(model, name, **{**settings, "precision": "f32"})
        self.precision = settings["precision"]


class WrongRounding(Rounding):
    """It is wrong in 8 bits alone."""

    def submit(self, inputs: Any) -> Any:
        ticket = super().submit(inputs)
        return Spoilt(ticket, self.spoilt) if self.precision == "int8" else ticket

    def spoilt(self, answers: Mapping[str, Any]) -> dict[str, Any]:
        return {name: rows + 5 * (np.arange(rows.shape[-1]) == 0).astype(np.float32) for name, rows in answers.items()}


class Spoilt:
    def __init__(self, ticket: Any, spoil: Any) -> None:
        self.ticket, self.spoil = ticket, spoil

    def wait(self) -> Any:
        return self.spoil(self.ticket.wait())
