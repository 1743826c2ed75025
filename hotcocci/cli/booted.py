# SPDX-License-Identifier: GPL-2.0
"""Calling changed functions in a booted kernel, and remembering what came of it."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from hotcocci.cli.inputs import fingerprint
from hotcocci.errors import EngineError, UserError
from hotcocci.findings import Execution
from hotcocci.pipeline.settings import Settings
from hotcocci.proof.boot import run as module
from hotcocci.proof.boot.run import boot
from hotcocci.proof.gate import Change
from hotcocci.proof.task import execution
from hotcocci.tree.kernel import Tree
from hotcocci.tree.source import encode


def booted(
    tree: Tree, changes: Sequence[Change], settings: Settings
) -> dict[str, tuple[Execution, ...]]:
    """What a kernel of this tree says of each change, by file.

    Raises UserError if it cannot be built or booted here.
    """
    key = _key(tree, changes)
    with settings.open_cache() as cache:
        known = cache.answers([key]).get(key)
        if isinstance(known, dict):
            return {
                file: tuple(execution(**each) for each in made)
                for file, made in known.items()
            }
        try:
            found = boot(tree, changes, settings.cache_dir, settings.jobs)
        except EngineError as error:
            raise UserError(f"--boot: {error}") from error
        plain = {f: [asdict(each) for each in made] for f, made in found.items()}
        cache.remember({key: plain})
    return found


def _key(tree: Tree, changes: Sequence[Change]) -> str:
    """A hash of all that the outcome depends on: one kernel calls the functions of all changes."""
    asked = f"booted {tree.root}"
    digest = hashlib.sha256(fingerprint(asked, tree.root, Path(module.__file__)))
    digest.update(module.fingerprint())
    for change in changes:
        for text in (change.file, change.old, change.new):
            digest.update(hashlib.sha256(encode(text)).digest())
    return digest.hexdigest()
