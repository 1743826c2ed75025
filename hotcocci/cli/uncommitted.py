# SPDX-License-Identifier: GPL-2.0
"""Say which files have changes that are in no commit."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from hotcocci.errors import UserError
from hotcocci.plural import count
from hotcocci.tree.source import readable
from hotcocci.tree.touched import uncommitted

SHOWN = 3


def beside(tree: Path, files: Sequence[str], what: str) -> list[str]:
    """Return a line if some of these files, or below these folders, have uncommitted changes; ``what`` ends it."""
    try:
        found = uncommitted(tree, files)
    except UserError as error:
        return [f"uncommitted changes are not looked for: {error}"]
    if not found:
        return []
    names = ", ".join(readable(name) for name in found[:SHOWN])
    more = f" and {len(found) - SHOWN} more" if len(found) > SHOWN else ""
    has = "has" if len(found) == 1 else "have"
    number = count(len(found), "file")
    return [f"{number} {has} uncommitted changes, {what}: {names}{more}"]
