# SPDX-License-Identifier: GPL-2.0
"""Rewrite files whose lines end with CR LF: rules read and write Unix line ends only."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence

from hotcocci.findings import Edit

_WINDOWS = re.compile(r"\r\n")


def unix(text: str) -> str:
    """The text with Unix line ends; lines and columns of code stay."""
    return text.replace("\r\n", "\n")


def with_ends_of(text: str, edits: Sequence[Edit]) -> tuple[Edit, ...]:
    """Edits of ``unix(text)`` as edits of the text: new lines end as the line where their edit begins."""
    # Offsets in unix(text) of the line ends that are CR LF in the text.
    ends = [match.start() - n for n, match in enumerate(_WINDOWS.finditer(text))]
    if not ends:
        return tuple(edits)
    plain = unix(text)

    def moved(edit: Edit) -> Edit:
        end = plain.find("\n", edit.start)
        if end < 0:
            end = plain.rfind("\n")
        place = bisect_left(ends, end)
        windows = ends[place : place + 1] == [end]
        start, stop = (at + bisect_left(ends, at) for at in (edit.start, edit.end))
        return Edit(
            start, stop, edit.text.replace("\n", "\r\n") if windows else edit.text
        )

    return tuple(map(moved, edits))
