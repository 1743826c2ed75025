# SPDX-License-Identifier: GPL-2.0
"""Check changes, unless the same ones were checked and nothing has changed since."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from functools import partial

from hotcocci.memo import known_answer
from hotcocci.pipeline.changes import Change, Gated
from hotcocci.pipeline.settings import Settings
from hotcocci.pipeline.unchanged import state_of_run
from hotcocci.records import rebuilt
from hotcocci.tree.kernel import Tree


def pass_all(tree: Tree, wanted: Sequence[Change], settings: Settings) -> Gated:
    """Check the changes and, with --prove, prove those that pass."""
    if not wanted:
        return Gated((), (), (), ())
    if settings.prove:
        return _passed(tree, wanted, settings)
    key = state_of_run(tree, settings, f"patch {tree.root} {wanted}")
    with settings.open_cache() as cache:
        known = known_answer(cache, key, partial(rebuilt, Gated))
    if known is not None:
        return known
    gated = _passed(tree, wanted, settings)
    if gated.held or gated.uncompiled:
        # Perhaps the disk was full: that is no property of a change.
        return gated
    with settings.open_cache() as cache:
        cache.remember({key: asdict(gated)})
    return gated


def _passed(tree: Tree, wanted: Sequence[Change], settings: Settings) -> Gated:
    # It imports all that reads machine code.
    from hotcocci.pipeline import proof_gate

    return proof_gate.pass_all(tree, wanted, settings)
