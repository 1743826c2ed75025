# SPDX-License-Identifier: GPL-2.0
"""Colour for diffs and findings on a terminal; none with NO_COLOR (no-color.org)."""

from __future__ import annotations

import os
import re
from typing import TextIO

_BOLD, _RED, _GREEN, _CYAN, _END = (f"\x1b[{n}m" for n in (1, 31, 32, 36, 0))
# git's colours, by the first character of a line
_OF_DIFF = {"-": _RED, "+": _GREEN, "@": _CYAN}
_PLACE = re.compile(r"^(?P<place>.+?:\d+:) (?P<rule>[A-Z]{2}\d+) ")


def wanted(stream: TextIO) -> bool:
    """Whether to colour what is written to a stream."""
    plain = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    return stream.isatty() and not plain


def diff(text: str) -> str:
    """Colour the lines of a diff."""
    return "\n".join(map(_of_diff, text.split("\n")))


def finding(line: str) -> str:
    """Colour the location and the rule of a finding."""
    return _PLACE.sub(rf"{_BOLD}\g<place>{_END} {_CYAN}\g<rule>{_END} ", line)


def _of_diff(line: str) -> str:
    heads = line.startswith(("--- a/", "+++ b/"))
    style = _BOLD if heads else _OF_DIFF.get(line[:1], "")
    return f"{style}{line}{_END}" if style else line
