# SPDX-License-Identifier: GPL-2.0
"""Convert offsets in a source file to lines and columns."""

from __future__ import annotations

import bisect
import re
from functools import cached_property

from hotcocci.tree.source import encode


class Positions:
    """Lines and columns of offsets in one text, as tree.source decodes it."""

    def __init__(self, text: str) -> None:
        """``text`` has a character for each byte."""
        self._text = text
        self._starts = [0] + [match.end() for match in re.finditer("\n", text)]

    @cached_property
    def defined(self) -> bool:
        """Whether columns are well-defined: they are not in a file that is not UTF-8."""
        try:
            encode(self._text).decode("utf-8")
        except UnicodeDecodeError:
            return False
        return True

    def at(self, offset: int) -> tuple[int, int]:
        """Return line and column from 1, the column in UTF-16 code units; needs ``defined``."""
        line = bisect.bisect_right(self._starts, offset)
        before = encode(self._text[self._starts[line - 1] : offset]).decode("utf-8")
        return line, len(before.encode("utf-16-le")) // 2 + 1
