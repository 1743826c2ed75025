# SPDX-License-Identifier: GPL-2.0
"""How often a place of the kernel is likely to run: a guess, for where no profile was measured.

It is a number on the scale of hot/place.py, which stands for a rough count on a busy machine;
only the order and the distance of its steps mean something.
"""

from __future__ import annotations

import re

from hotcocci.tree.hot import devices, files, network, tasks
from hotcocci.tree.hot.folders import FOLDERS
from hotcocci.tree.hot.place import ELSEWHERE, OPERATION

PLACES = (*files.PLACES, *tasks.PLACES, *network.PLACES, *devices.PLACES)
"""Every list of functions that are known to be hot."""

_LISTED = frozenset(place.file for place in PLACES if place.weight >= OPERATION)

NAMES = frozenset(
    name
    for place in PLACES
    if place.weight >= OPERATION
    for name in place.functions.split()
)
"""The names of all functions that `is_hot` says to be hot, in whatever file."""

_SELDOM = re.compile(r"ioctl|compat")

_GUESSES = {
    (place.file, function): place.weight
    for place in sorted(PLACES, key=lambda place: place.weight)
    for function in place.functions.split()
}


def guess(file: str, function: str | None) -> float:
    """How hot a function is likely to be, above 0 and up to 1.

    ``file`` is relative to the kernel tree; ``function`` is None for a place outside of all. A
    function that is not listed is worth what its file or the nearest folder around it is, but no
    more than ELSEWHERE if its name or its file's tells of an ioctl() or of 32-bit programs: the
    ones that are called often are listed.
    """
    known = _GUESSES.get((file, function or ""))
    if known is not None:
        return known
    around = _around(file)
    named = f"{file.rpartition('/')[2]} {function}"
    return min(around, ELSEWHERE) if _SELDOM.search(named) else around


def _around(file: str) -> float:
    place = file
    while place:
        if place in FOLDERS:
            return FOLDERS[place]
        place = place.rpartition("/")[0]
    return ELSEWHERE


def is_hot(file: str, function: str | None) -> bool:
    """Whether a function is listed as one that runs at least once in a common operation."""
    return guess(file, function) >= OPERATION


def may_hold_hot(file: str) -> bool:
    """Whether a file may have a function that `is_hot` says to be hot."""
    return file in _LISTED or _around(file) >= OPERATION
