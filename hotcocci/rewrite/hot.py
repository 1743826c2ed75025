# SPDX-License-Identifier: GPL-2.0
"""Tell whether a function is hot, for rules that check only hot code."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

from hotcocci.c.callers import Callers
from hotcocci.rewrite.options import Options
from hotcocci.tree import hotness
from hotcocci.tree.definitions import defining

# Cached because is_hot() is called for each function of a file in turn.
_callers = lru_cache(maxsize=1)(Callers)


def is_hot(file: str, text: str, function: str, hot: frozenset[str] | None) -> bool:
    """Whether a function is hot: by a profile, or by the lists if there is none.

    ``text`` is the file, ``hot`` as in Options. A static function missing from the
    profile is as hot as the callers in its file, into which it may have been inlined.
    """
    if hot is None:
        return hotness.is_hot(file, function)
    if function in hot:
        return True
    return bool(_callers(text).nearest(function, lambda name: name in hot))


def for_file(options: Options, file: str) -> Options:
    """The options for the windows of a file: those of small copies if the lists have hot code in it.

    Masked windows have no LFENCE (fs/select.c), and one file has one kind of window.
    """
    if options.small_api in ("", options.api) or not hotness.may_hold_hot(file):
        return options
    return replace(options, api=options.small_api)


def hot_files(
    root: Path, files: Sequence[str], hot: frozenset[str] | None
) -> list[str]:
    """The files of a tree that may contain a hot function.

    Raises UserError if that cannot be determined.
    """
    if hot is None:
        return [file for file in files if hotness.may_hold_hot(file)]
    return sorted(defining(root, files, hot))
