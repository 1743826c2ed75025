# SPDX-License-Identifier: GPL-2.0
"""The names that macros use: a new local variable must not capture them."""

from __future__ import annotations

from pathlib import Path

from hotcocci.c.headers import reachable
from hotcocci.c.constants import Macro, view
from hotcocci.c.source import NAME, tokenize


def free_names(root: Path, file: str, used: frozenset[str]) -> frozenset[str]:
    """The free names in the bodies of macros among ``used``, in all of their definitions.

    Parameters, members and tags are excluded.
    """
    macros = [view(header.path).macros for header in reachable(root, file)]
    found: set[str] = set()
    seen: set[str] = set()
    waiting = set(used)
    while waiting:
        seen |= waiting
        mentioned = {
            mention
            for name in waiting
            for each in macros
            for macro in each.get(name, ())
            for mention in _mentioned(macro)
        }
        found |= mentioned
        waiting = mentioned - seen
    return frozenset(found)


def _mentioned(macro: Macro) -> set[str]:
    tokens = tokenize(macro.body)
    return {
        token.text
        for before, token in zip((None, *tokens), tokens)
        if token.kind == NAME
        and token.text not in (macro.parameters or ())
        and (before is None or before.text not in ("->", ".", "struct"))
    }
