# SPDX-License-Identifier: GPL-2.0
"""A run on one tree: what its steps share."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from hotcocci.cache import Cache
from hotcocci.pipeline.reached import Reached
from hotcocci.pipeline.settings import Settings
from hotcocci.tree.kernel import Tree


@dataclass(frozen=True)
class Run:
    """A tree, the settings and the open cache.

    ``around`` is the whole tree if ``tree`` is an overlay of it, else the tree itself. ``reached`` knows
    what the files include.
    """

    tree: Tree
    around: Tree
    settings: Settings
    cache: Cache
    reached: Reached


@contextmanager
def running(
    tree: Tree,
    settings: Settings,
    around: Tree | None = None,
    headers: Tree | None = None,
) -> Iterator[Run]:
    """Open the cache for a run; ``headers`` is the tree that has the headers, if not ``tree`` itself.

    Raises UserError if the cache cannot be used.
    """
    around = around or tree
    with settings.open_cache() as cache:
        reached = Reached((headers or tree).root, around.root, cache)
        yield Run(tree, around, settings, cache, reached)
