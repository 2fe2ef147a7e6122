"""What OpenVINO is asked for on CPUs with different instruction sets."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import onnx_files
import pytest

from tengen.engine import cpu
from tengen.engine.evaluators.backends import openvino
from tengen.engine.evaluators.backends.base import Precision
from tengen.engine.evaluators.backends.openvino import OpenVinoBackend


@pytest.mark.parametrize(
    ("features", "precision", "kinds", "is_kept"),
    [
        ({"amx_bf16"}, "bf16", ["Convolution", "Softmax"], False),
        ({"amx_bf16"}, "bf16", ["Convolution"], True),
        ({"amx_bf16"}, "f32", ["Softmax"], True),
        ({"avx512_bf16"}, "bf16", ["Softmax"], True),
        (None, "bf16", ["Softmax"], False),
    ],
)
def test_what_openvino_cannot_keep_is_compiled_anew(
    features: set[str] | None, precision: Precision, kinds: list[str], is_kept: bool, tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    """Attention in bf16 by AMX: OpenVINO 2026.4 ended the process when it was to keep it."""
    monkeypatch.setenv("TENGEN_CACHE", str(tmp_path))
    monkeypatch.setattr(cpu, "present", lambda: features and frozenset({"avx2", *features}))
    asked: list[bool] = []
    fake = SimpleNamespace(compile_model=lambda model, device, settings: asked.append("CACHE_DIR" in settings))
    network = OpenVinoBackend(onnx_files.network(), threads=1, precision=precision)
    monkeypatch.setattr(openvino, "_core", lambda: fake)
    parts = [SimpleNamespace(get_type_name=lambda kind=kind: kind) for kind in kinds]
    network._compiled(SimpleNamespace(get_ops=lambda: parts))
    assert asked == [is_kept]


@pytest.mark.parametrize(
    ("features", "fast"),
    [
        (set(), ("f32",)),
        ({"avx2"}, ("f32", "int8")),
        ({"avx2", "avx512_bf16"}, ("f32", "bf16", "int8")),
        ({"avx2", "avx512_bf16", "amx_bf16"}, ("f32", "bf16", "int8")),
        (None, ("f32", "bf16")),
    ],
)
def test_the_fastest_precision_of_a_cpu_is_the_last(
    features: set[str] | None, fast: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    able = SimpleNamespace(get_property=lambda device, name: ["FP32", "BF16", "INT8"])
    monkeypatch.setattr(openvino, "_core", lambda: able)
    monkeypatch.setattr(cpu, "present", lambda: features if features is None else frozenset(features))
    assert OpenVinoBackend.fast_precisions() == fast
