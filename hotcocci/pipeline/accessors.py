# SPDX-License-Identifier: GPL-2.0
"""The small functions of a tree, read once and cached until a file changes."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Sequence
from dataclasses import asdict
from functools import lru_cache, partial
from pathlib import Path

from hotcocci.cache import Cache
from hotcocci.pipeline.fingerprint import fingerprint
from hotcocci.pool import spread
from hotcocci.rewrite.loads import accessor_index
from hotcocci.rewrite.loads.accessor_index import Accessor
from hotcocci.rewrite.loads.accessor_tree import accessors_of, folders_for
from hotcocci.tree.kernel import Tree
from hotcocci.tree.select import POINTER, candidates

_WORTH_A_PROCESS = 500


def accessors(
    tree: Tree, files: Sequence[str], cache: Cache, jobs: int
) -> tuple[Accessor, ...]:
    """Return the small functions that these files may call."""
    return _below(tree, tuple(folders_for(tree.root, files)), cache, jobs)


# Two rules of one run, which share the cache, ask for the same.
@lru_cache(maxsize=1)
def _below(
    tree: Tree, places: tuple[Path, ...], cache: Cache, jobs: int
) -> tuple[Accessor, ...]:
    found, _ = candidates(tree, places, cache, POINTER) if places else ([], [])
    sources = [file for file in found if file.endswith(".c")]
    key = _key(tree, sources)
    known = cache.answers([key]).get(key)
    if isinstance(known, list):
        return tuple(_accessor(data) for data in known)
    read = partial(accessors_of, tree.root)
    made = [a for each in spread(read, sources, jobs, _WORTH_A_PROCESS) for a in each]
    cache.remember({key: [asdict(accessor) for accessor in made]})
    return tuple(made)


def _key(tree: Tree, sources: Sequence[str]) -> str:
    """Hash what the result depends on: our own code, and size and time of each file."""
    module = Path(accessor_index.__file__)
    digest = hashlib.sha256(fingerprint("accessors", tree.root, module))
    for file in sources:
        stat = os.stat(f"{tree.root}/{file}")
        digest.update(f"{file}\0{stat.st_mtime_ns}\0{stat.st_size}\n".encode())
    return digest.hexdigest()


def _accessor(data: dict[str, object]) -> Accessor:
    """Convert a cached accessor from JSON: lists become tuples."""
    return Accessor(
        **{name: tuple(v) if isinstance(v, list) else v for name, v in data.items()}  # type: ignore[arg-type]
    )
