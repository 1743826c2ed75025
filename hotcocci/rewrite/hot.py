# SPDX-License-Identifier: GPL-2.0
"""Tell whether a function is hot, for rules that check only hot code."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from hotcocci.c.callers import Callers
from hotcocci.rewrite.options import Options
from hotcocci.tree.definitions import defining

# Cached because is_hot() is called for each function of a file in turn.
_callers = lru_cache(maxsize=1)(Callers)


def is_hot(options: Options, file: str, text: str, function: str) -> bool:
    """Whether a function is hot: by a profile, or by what leads to it if there is none.

    ``text`` is the file. A static function missing from the profile is as hot as the callers in its
    file, into which it may have been inlined.
    """
    hot = options.hot
    if hot is None:
        return function in options.derived.get(file, ())
    if function in hot:
        return True
    return bool(_callers(text).nearest(function, lambda name: name in hot))


def hot_files(options: Options, files: Sequence[str]) -> list[str]:
    """The files that may contain a hot function.

    Raises UserError if that cannot be determined.
    """
    if options.hot is None:
        return [file for file in files if file in options.derived]
    return sorted(defining(options.root, files, options.hot))
