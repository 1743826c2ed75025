# SPDX-License-Identifier: GPL-2.0
"""Guess how often a function runs, for use without a measured profile.

The scale in hot/scale.py is a rough rate on a busy machine; only relative values matter.
"""

from __future__ import annotations

import re

from hotcocci.tree.hot import devices, files, network, tasks
from hotcocci.tree.hot.folders import FOLDERS
from hotcocci.tree.hot.scale import ELSEWHERE, OPERATION, SELDOM

PLACES = (*files.PLACES, *tasks.PLACES, *network.PLACES, *devices.PLACES)
"""All lists of hot functions."""

_LISTED = frozenset(place.file for place in PLACES if place.weight >= OPERATION)

NAMES = frozenset(
    name
    for place in PLACES
    if place.weight >= OPERATION
    for name in place.functions.split()
)
"""The names of all functions listed as hot, in any file."""

_RARE = re.compile(r"ioctl|compat|query|reset")

_GUESSES = {
    (place.file, function): place.weight
    for place in sorted(PLACES, key=lambda place: place.weight)
    for function in place.functions.split()
}


def guess(file: str, function: str | None) -> float:
    """Guess how hot a function is, from above 0 up to 1.

    ``file`` is relative to the kernel tree; ``function`` is None outside functions. A function
    that is not listed gets the value of its file or nearest listed directory, but at most
    ELSEWHERE if its name or its file's contains "ioctl", "compat", "query" or "reset", and SELDOM for ioctls of
    32-bit programs: those that are called often are listed.
    """
    known = _GUESSES.get((file, function or ""))
    if known is not None:
        return known
    around = _default(file)
    named = set(_RARE.findall(f"{file.rpartition('/')[2]} {function}"))
    most = SELDOM if {"ioctl", "compat"} <= named else ELSEWHERE
    return min(around, most) if named else around


def _default(file: str) -> float:
    place = file
    while place:
        if place in FOLDERS:
            return FOLDERS[place]
        place = place.rpartition("/")[0]
    return ELSEWHERE


def is_hot(file: str, function: str | None) -> bool:
    """Whether a function is guessed to run at least once per common operation."""
    return guess(file, function) >= OPERATION


def may_hold_hot(file: str) -> bool:
    """Whether a file may contain a function for which `is_hot` is true."""
    return file in _LISTED or _default(file) >= OPERATION
