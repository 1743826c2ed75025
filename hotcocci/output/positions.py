# SPDX-License-Identifier: GPL-2.0
"""Offsets into a source file as lines and columns that other programs count alike."""

from __future__ import annotations

import bisect
import re
from functools import cached_property

from hotcocci.tree.source import encode


class Positions:
    """Where the offsets of one text, as tree.source decodes it, lie in the file people see."""

    def __init__(self, text: str) -> None:
        """``text`` has a character for each byte."""
        self._text = text
        self._starts = [0] + [match.end() for match in re.finditer("\n", text)]

    @cached_property
    def told(self) -> bool:
        """Whether there are columns: a file that is not UTF-8 has them for nobody else."""
        try:
            encode(self._text).decode("utf-8")
        except UnicodeDecodeError:
            return False
        return True

    def at(self, offset: int) -> tuple[int, int]:
        """Line and column, both from 1, the column in UTF-16 code units; where it is `told`."""
        line = bisect.bisect_right(self._starts, offset)
        before = encode(self._text[self._starts[line - 1] : offset]).decode("utf-8")
        return line, len(before.encode("utf-16-le")) // 2 + 1
