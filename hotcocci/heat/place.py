# SPDX-License-Identifier: GPL-2.0
"""How often a line of a function runs, from how often the function does."""

from __future__ import annotations

import re

from hotcocci.c.source import Source
from hotcocci.heat.blocks import IN_CASE, MOST_IFS, PER_LEVEL, calls_of
from hotcocci.heat.entries import COMMANDS
from hotcocci.heat.graph import Heat, rarely
from hotcocci.heat.index import without_comments

# What a finding is about, and the name it gets to be found again.
_ACCESS = re.compile(r"\b\w*(?:_user|access)\w*(?=\s*\()")
_MARK = "marked_user"
# A condition under which a function does something else, and is done. One that only returns is of calls
# with nothing to do, which are few.
_OTHER_WAY = re.compile(
    r"\n(\t+)if \(.*\{(?:\n\1[\t ].*)+?\n\1\treturn(?: 0)?;(?!\n\1\} else)"
)


def at_line(
    heat: Heat | None, text: str, line: int, is_loop: bool = False
) -> Heat | None:
    """The heat of a user access on a line of a file, given that of its function.

    Conditions and cases around it make it rarer, and other ways through the function before it; the command
    of an ioctl whose case it is in decides alone. Loops do not count, but are named unless the finding ``is_loop``: what one saves is estimated
    for all its rounds.
    """
    starts = Source("", text).line_starts
    begin = starts[line - 1]
    stop = starts[line] if line < len(starts) else len(text)
    start, end = text.rfind("\n{", 0, begin), text.find("\n}", stop - 1)
    marked = _ACCESS.sub(_MARK, text[begin:stop], count=1)
    if min(start, end) < 0 or _MARK not in marked:
        return heat
    above = without_comments(text[start + 2 : begin])
    body = above + without_comments(marked + text[stop:end])
    calls, commands, fatal = calls_of(body)
    if fatal or _MARK not in calls:
        return heat
    level, loops = divmod(calls[_MARK] % IN_CASE, PER_LEVEL)
    ways = len(_OTHER_WAY.findall(above))
    factor = 2 ** -(level / 2 + min(ways, MOST_IFS))
    entry = COMMANDS.get(commands.get(_MARK, ""))
    if entry is not None and (heat is None or heat.value < entry.rate):
        heat = Heat(entry.rate * factor, f"per {entry.per}")
    elif heat is not None and factor < 1:
        heat = Heat(heat.value * factor, rarely(heat.per, factor))
    if heat is None or loops <= is_loop or not heat.per.startswith("per "):
        return heat
    return Heat(heat.value, f"in a loop {heat.per}")
