# SPDX-License-Identifier: GPL-2.0
"""Whether a function is hot, for the rules that look at no others."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

from hotcocci.c.callers import Callers
from hotcocci.tree import hotness
from hotcocci.tree.definitions import defining

# A file is asked about once for each of its functions.
_callers = lru_cache(maxsize=1)(Callers)


def is_hot(file: str, text: str, function: str, hot: frozenset[str] | None) -> bool:
    """Whether a function is hot: by a profile, or by the lists where there is none.

    ``text`` is that of the file, ``hot`` what Options has. A static function that the profile does
    not show is as hot as the functions of the file that it may have been inlined into.
    """
    if hot is None:
        return hotness.is_hot(file, function)
    if function in hot:
        return True
    return bool(_callers(text).nearest(function, lambda name: name in hot))


def hot_files(
    root: Path, files: Sequence[str], hot: frozenset[str] | None
) -> list[str]:
    """The files of a tree that may have a hot function.

    Raises UserError if that cannot be found out.
    """
    if hot is None:
        return [file for file in files if hotness.may_hold_hot(file)]
    return sorted(defining(root, files, hot))
