# SPDX-License-Identifier: GPL-2.0
"""Remember what all rules decided on a whole tree, for a run in which nothing has changed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hotcocci.cache import Cache
from hotcocci.findings import Skip
from hotcocci.memo import known_answer
from hotcocci.pipeline.decision import Decision, from_json, to_json
from hotcocci.pipeline.paths import texts_of
from hotcocci.records import rebuilt
from hotcocci.tree.kernel import Tree


def recall(
    tree: Tree, key: str, cache: Cache
) -> tuple[list[Decision], list[Skip]] | None:
    """The decisions on a tree, and the skipped files; None if they are not known."""

    def read(known: Any) -> tuple[list[Decision], list[Skip]]:
        texts = texts_of(tree, [file for file, _ in known["made"]])
        made = [from_json(file, texts[file], one) for file, one in known["made"]]
        return made, [rebuilt(Skip, skip) for skip in known["skipped"]]

    return known_answer(cache, key, read)


def remember(
    key: str, made: Sequence[Decision], skipped: Sequence[Skip], cache: Cache
) -> None:
    """Store them; decisions without any result are left out."""
    telling = [d for d in made if d.findings or d.rewrites or d.unseen]
    value = {
        "made": [(decision.file, to_json(decision)) for decision in telling],
        "skipped": [vars(skip) for skip in skipped],
    }
    cache.remember({key: value})
