"""The facts about a network, by the names of KataGo's protocols: `query_models`, `kata-get-models`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tengen.engine.evaluators.background import Loading


def facts_of(loading: Loading, batch: int) -> dict[str, Any]:
    """Return the facts about a KataGo network, once it is loaded; batch: the positions of a batch at most. Raises
    NetworkError for another, and what loading raises."""
    from tengen.engine.play.networks import katago_of

    chosen, loaded = loading.future.result()
    header = katago_of(loading).header
    return {
        "name": chosen.path.name,
        "internalName": header.name,
        "maxBatchSize": batch,
        "usesHumanSLProfile": header.has_metadata,
        "version": header.version,
        "usingFP16": "true" if loaded.precision != "f32" else "false",
    }
