# SPDX-License-Identifier: GPL-2.0
"""The small functions of a tree, read once and cached until a file changes."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Sequence
from dataclasses import asdict
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

from hotcocci.cache import Cache
from hotcocci.pipeline.fingerprint import code
from hotcocci.pool import spread
from hotcocci.records import rebuilt
from hotcocci.rewrite.loads import accessor_index
from hotcocci.rewrite.loads.accessor_index import Accessor
from hotcocci.rewrite.loads.accessor_tree import accessors_of, folders_for
from hotcocci.tree.kernel import Tree
from hotcocci.tree.select import POINTER, candidates
from hotcocci.tree.stamps import stamp

_WORTH_A_PROCESS = 500


def accessors(
    tree: Tree, files: Sequence[str], cache: Cache, jobs: int
) -> tuple[Accessor, ...]:
    """Return the small functions that these files may call."""
    return _below(tree, tuple(folders_for(tree.root, files)), cache, jobs)


def state(tree: Tree, files: Sequence[str], cache: Cache, jobs: int) -> str:
    """A hash of the small functions that these files may call."""
    places = tuple(folders_for(tree.root, files))
    key = f"{_key(places, cache)} state"
    known = cache.answers([key]).get(key)
    if isinstance(known, str):
        return known
    made = _below(tree, places, cache, jobs)
    found = hashlib.sha256(repr(made).encode("utf-8", "surrogateescape")).hexdigest()
    cache.remember({key: found})
    return found


# Two rules of one run, which share the cache, ask for the same.
@lru_cache(maxsize=1)
def _below(
    tree: Tree, places: tuple[Path, ...], cache: Cache, jobs: int
) -> tuple[Accessor, ...]:
    key = _key(places, cache)
    known = cache.answers([key]).get(key)
    if isinstance(known, list):
        return tuple(rebuilt(Accessor, data) for data in known)
    found, _ = candidates(tree, places, cache, POINTER) if places else ([], [])
    sources = [file for file in found if file.endswith(".c")]
    made = _read(tree.root, sources, cache, jobs)
    cache.remember({key: [asdict(accessor) for accessor in made]})
    return made


def _read(
    root: Path, sources: Sequence[str], cache: Cache, jobs: int
) -> tuple[Accessor, ...]:
    """The small functions of these files, which are read if they have changed."""
    own = code(Path(accessor_index.__file__)).hex()
    keys = {
        file: hashlib.sha256(
            f"accessors {own} {file} {stamp(f'{root}/{file}')}".encode(
                "utf-8", "surrogateescape"
            )
        ).hexdigest()
        for file in sources
    }
    known: dict[str, Any] = dict(cache.answers(list(keys.values())))
    new = [file for file in sources if keys[file] not in known]
    fresh = spread(partial(accessors_of, root), new, jobs, _WORTH_A_PROCESS)
    found = {
        file: tuple(rebuilt(Accessor, data) for data in known[keys[file]])
        for file in sources
        if keys[file] in known
    } | dict(zip(new, fresh, strict=True))
    cache.remember({keys[file]: [asdict(each) for each in found[file]] for file in new})
    return tuple(each for file in sources for each in found[file])


@lru_cache(maxsize=1)
def _key(places: tuple[Path, ...], cache: Cache) -> str:
    """Identify the files below some folders, as they were when this run first asked."""
    own = code(Path(accessor_index.__file__)).hex()
    return hashlib.sha256(f"accessors {own} {_state(places)}".encode()).hexdigest()


def _state(places: tuple[Path, ...]) -> str:
    """Hash size and time of each source file."""
    digest = hashlib.sha256()
    for place in places:
        for folder, folders, names in os.walk(place):
            folders.sort()
            for name in sorted(names):
                if name.endswith(".c"):
                    digest.update(
                        f"{folder}/{name} {stamp(f'{folder}/{name}')}\n".encode(
                            "utf-8", "surrogateescape"
                        )
                    )
    return digest.hexdigest()
