# SPDX-License-Identifier: GPL-2.0
"""Prepare kernel builds, and say so: the first one takes up to minutes."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from hotcocci.pipeline.settings import Settings
from hotcocci.tree.build import Build, Counted, last_preparation, prepare
from hotcocci.tree.kernel import Tree
from hotcocci.tree.targets import Target

# What a preparation takes that was never made on this machine.
UNKNOWN = "about 20 MB, a minute or a few"


def prepared(tree: Tree, target: Target, settings: Settings) -> Build:
    """The build of a tree for a target, prepared first if necessary. Raises BuildError."""
    observer = settings.observer

    @contextmanager
    def announced(folder: Path) -> Iterator[Counted | None]:
        last = last_preparation(target, settings.cache_dir)
        said = UNKNOWN
        if last is not None:
            said = f"{last.size / 1e6:.0f} MB; the last one took {last.seconds:.0f} s"
        observer.warn(
            f"preparing a kernel for {target.name}, once for this tree, in {folder}: {said}"
        )
        with observer.progress(f"preparing a kernel for {target.name}") as show:
            total = last.steps if last is not None else 0
            yield show and (lambda made: show(made, total))

    # Until it is known whether there is one, and while another run prepares it.
    with observer.progress(f"looking for the kernel for {target.name}"):
        return prepare(tree.root, target, settings.cache_dir, settings.jobs, announced)
