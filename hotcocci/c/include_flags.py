# SPDX-License-Identifier: GPL-2.0
"""The folders that a Makefile adds to where headers are searched: ``ccflags-y += -I $(src)/libxfs``."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from hotcocci.tree.source import read_text

_NAMES = ("Kbuild", "Makefile")
_FLAGS = re.compile(r"^(subdir-)?ccflags-y[ \t]*[:+]?=((?:.*\\\n)*.*)", re.MULTILINE)
# $(srctree)/$(src) until 6.10
_FOLDER = re.compile(
    r"-I[ \t]*(?:\$\(srctree\)/(?=\$\(src\)))?\$\((src|srctree)\)([\w./-]*)"
)


@lru_cache(maxsize=4096)
def include_folders(root: Path, folder: str) -> tuple[str, ...]:
    """The folders that the Makefiles of a folder and, for all below them, of its parents name.

    Like ``folder``, they are relative to the tree.
    """
    found: list[str] = []
    for place in _upwards(folder):
        for subdir, flags in _FLAGS.findall(_makefile(root, place)):
            if subdir or place == folder:
                bases = {"src": place, "srctree": "."}
                found += [f"{bases[b]}{rest}" for b, rest in _FOLDER.findall(flags)]
    return tuple(dict.fromkeys(map(os.path.normpath, found)))


def makefiles(folder: str) -> Iterator[str]:
    """The files that `include_folders` and `hotcocci.tree.kconfig` read if they exist."""
    for place in _upwards(folder):
        yield from (f"{place}/{name}" for name in (*_NAMES, "Kconfig"))


def _upwards(folder: str) -> Iterator[str]:
    """A folder and its parents in the tree; none outside, and none for headers that all of it shares."""
    if not os.path.isabs(folder) and "include" not in folder.split("/"):
        while folder:
            yield folder
            folder = os.path.dirname(folder)


@lru_cache(maxsize=4096)
def _makefile(root: Path, folder: str) -> str:
    files = (root / folder / name for name in _NAMES)
    file = next((each for each in files if each.is_file()), None)
    return read_text(file) if file else ""
