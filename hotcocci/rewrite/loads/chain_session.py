# SPDX-License-Identifier: GPL-2.0
"""The side of cocci/hot_load.cocci that is Python: spatch calls these functions."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any

from hotcocci.c import seen
from hotcocci.rewrite.hot import is_hot
from hotcocci.tree.kernel import find_root

_everywhere: list[bool] = []
# The first statement of each function, by file and by name and last line of the function
_first: dict[tuple[str, str, str], Any] = {}


def begin(everywhere: str) -> None:
    """Whether all functions are looked at, for a profile to choose from, or those listed as hot."""
    _everywhere[:] = [bool(everywhere)]


def hot(places: Any) -> bool:
    """Whether a position lies in a function that is to be looked at."""
    place = places[0]
    return _looked_at(place.file, place.current_element)


@lru_cache(maxsize=65536)
def _looked_at(file: str, function: str) -> bool:
    if any(_everywhere):
        return True
    relative = _relative(file)
    return relative is not None and is_hot(relative, "", function, None)


@lru_cache(maxsize=64)
def _relative(file: str) -> str | None:
    root = find_root(Path(file))
    return str(Path(file).resolve().relative_to(root)) if root else None


def note(place: Any) -> None:
    """A statement; the first in the text of a function will stand for the function."""
    seen.note_statement(place)
    function = (place.file, place.current_element, place.current_element_line_end)
    known = _first.get(function)
    if known is None or int(place.line) < int(known.line):
        _first[function] = place


def noted() -> None:
    """The file is through: what stands for its functions is known."""
    for place in _first.values():
        seen.note_access("", "", place)
    _first.clear()
