"""A training as a folder of two files: its arrays, and a manifest that names them by their hash. Nothing is pickled.

    state-XXXXXXXXXXXXXXXX.safetensors   the arrays (`nets.safetensors`)
    checkpoint.json   {"format": 1, "state": its name, "sha256": its hash, "facts": {...}, "facts_sha256": their hash}

Each is written whole (`atomic.write`), the manifest last: a process that is killed at any moment leaves the checkpoint
before or the new one. Arrays that no manifest names any more are removed.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tengen.engine import atomic, files
from tengen.engine.evaluators.backends.cards import sha256_of
from tengen.nets import safetensors

if TYPE_CHECKING:
    from numpy.typing import NDArray

FORMAT = 1
MANIFEST = "checkpoint.json"
STATES = "state-*.safetensors*"
LARGEST_MANIFEST, LARGEST_STATE = 16 << 20, 4 << 30
_AGAIN = "go on from another checkpoint"


class CheckpointError(ValueError):
    """A damaged or unknown checkpoint, described in one sentence with a hint."""


def save(folder: Path, arrays: Mapping[str, NDArray[Any]], facts: Mapping[str, Any]) -> None:
    """Write a checkpoint over the one that is there. facts: what JSON holds. Raises OSError."""
    folder.mkdir(parents=True, exist_ok=True)
    data = safetensors.dumps(arrays)
    digest = sha256_of(data)
    state = f"state-{digest[:16]}.safetensors"
    atomic.write(folder / state, data)
    manifest = {"format": FORMAT, "state": state, "sha256": digest, "facts": facts, "facts_sha256": _digest(facts)}
    atomic.write(folder / MANIFEST, json.dumps(manifest, indent=1).encode())
    for old in folder.glob(STATES):
        if old.name != state:
            old.unlink(missing_ok=True)


def load(folder: Path) -> tuple[dict[str, NDArray[Any]], dict[str, Any]]:
    """The arrays, read-only, and the facts. Raises CheckpointError unless they are what was written."""
    manifest = _manifest(folder)
    path = folder / manifest["state"]
    try:
        data = files.read(path, LARGEST_STATE)
    except OSError as error:
        raise CheckpointError(f"cannot read the checkpoint '{path}': {files.reason(error)}; {_AGAIN}") from None
    if sha256_of(data) != manifest["sha256"]:
        raise CheckpointError(f"the checkpoint '{path}' is damaged (sha256); {_AGAIN}")
    try:
        return safetensors.loads(data), manifest["facts"]
    except ValueError as error:
        raise CheckpointError(f"the checkpoint '{path}' is damaged: {error}; {_AGAIN}") from None


def _manifest(folder: Path) -> dict[str, Any]:
    path = folder / MANIFEST
    try:
        manifest: Any = json.loads(files.read(path, LARGEST_MANIFEST))
    except OSError as error:
        raise CheckpointError(f"cannot read the checkpoint '{path}': {files.reason(error)}; {_AGAIN}") from None
    except (ValueError, RecursionError):
        raise CheckpointError(f"the checkpoint '{path}' is damaged (it is no JSON); {_AGAIN}") from None
    if isinstance(manifest, dict) and manifest.get("format", FORMAT) != FORMAT:
        raise CheckpointError(f"the checkpoint '{path}' is of another version of tengen; go on with that one")
    if not _is_whole(manifest):
        raise CheckpointError(f"the checkpoint '{path}' is damaged (its facts are not those written); {_AGAIN}")
    return dict(manifest)


def _is_whole(manifest: object) -> bool:
    if not isinstance(manifest, dict) or not isinstance(manifest.get("facts"), dict):
        return False
    state = manifest.get("state")
    return (
        isinstance(state, str)
        and Path(state).name == state
        and manifest.get("facts_sha256") == _digest(manifest["facts"])
    )


def _digest(facts: Mapping[str, Any]) -> str:
    return sha256_of(json.dumps(facts, sort_keys=True).encode())
