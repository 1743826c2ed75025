# SPDX-License-Identifier: GPL-2.0
"""Prepare kernel builds, and say so: the first one takes up to minutes."""

from __future__ import annotations

from contextlib import AbstractContextManager
from pathlib import Path

from hotcocci.pipeline.settings import Settings, Step
from hotcocci.tree.build import Build, last_preparation, prepare
from hotcocci.tree.kernel import Tree
from hotcocci.tree.target import Target


def prepared(tree: Tree, target: Target, settings: Settings) -> Build:
    """The build of a tree for a target, prepared first if necessary. Raises BuildError."""

    def announced(folder: Path) -> AbstractContextManager[Step | None]:
        seconds = last_preparation(target, settings.cache_dir)
        last = "" if seconds is None else f"; the last one took {seconds:.0f} s"
        settings.observer.warn(
            f"preparing a kernel for {target.name}, once for this tree, in {folder}{last}"
        )
        return settings.observer.progress(f"kernel for {target.name}")

    return prepare(tree.root, target, settings.cache_dir, settings.jobs, announced)
