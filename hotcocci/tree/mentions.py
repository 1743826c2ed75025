# SPDX-License-Identifier: GPL-2.0
"""Find the files of a tree that include another one, through any others, and mention some names."""

from __future__ import annotations

import os
from collections.abc import Collection
from functools import lru_cache
from pathlib import Path

from hotcocci.tree.includes import including, may_name, searched

# An #include of anything
ANY = r"[^\">]+"


def mentioning(tree: Path, names: Collection[str]) -> frozenset[str]:
    """The C files and headers in which one of these words occurs. Raises UserError without grep."""
    words = [word for name in sorted(names) for word in ("-e", name)]
    found = searched(tree, ["-lwF", *words], ("*.c", "*.h")) if words else []
    return frozenset(file.removeprefix("./") for file in found)


def reaching(tree: Path, file: str) -> frozenset[str]:
    """The files that include a file, directly or through others. Raises UserError without grep."""
    by_name = _includes(tree)
    reached = {file}
    waiting = [file]
    while waiting:
        wanted = waiting.pop()
        for user, name in by_name.get(os.path.basename(wanted), ()):
            if user not in reached and may_name(tree, user, name, wanted):
                reached.add(user)
                waiting.append(user)
    return frozenset(reached - {file})


@lru_cache(maxsize=2)
def _includes(tree: Path) -> dict[str, list[tuple[str, str]]]:
    """Every #include of a tree: the file it is in and the name, by the last part of the name."""
    found: dict[str, list[tuple[str, str]]] = {}
    for user, name in including(tree, ANY):
        found.setdefault(os.path.basename(name), []).append((user, name))
    return found
