# SPDX-License-Identifier: GPL-2.0
"""Convert a rewrite to hunks for the user to edit, and back."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import replace

from hotcocci.c.source import apply
from hotcocci.errors import UserError
from hotcocci.findings import Edit, Rewrite
from hotcocci.rewrite import diff
from hotcocci.tree.source import readable

GUIDE = """\
# ---
# To remove '-' lines, make them ' ' lines (context).
# To remove '+' lines, delete them.
# Lines starting with # will be removed. Line numbers after @@ are recomputed.
# The edited rewrite must pass the same checks as the original.
# If it does not apply or pass, you can edit again. Remove all lines to discard
# the edit.
"""
_HEAD = re.compile(r"@@ -(?P<start>\d+)(?:,\d+)? \+\d+(?:,\d+)? @@")
_CUT = "\\ No newline at end of file"


def draft(rewrite: Rewrite, before: str) -> str:
    """Return the text to edit: the hunks of a rewrite, with instructions."""
    patch = diff.unified(rewrite.finding.file, before, apply(before, rewrite.edits))
    return patch[patch.index("@@ ") :] + GUIDE


def is_empty(edited: str) -> bool:
    """Whether only comments are left."""
    return not _told(edited)


def applied(before: str, edited: str) -> str:
    """Apply the edited hunks to the text. Raises UserError if they do not apply."""
    old = re.findall(r"[^\n]*\n|[^\n]+", before)
    parts: list[str] = []
    done = 0
    for number, (start, lines) in enumerate(_hunks(edited), 1):
        gone = _side(lines, "-")
        if start < done or old[start : start + len(gone)] != gone:
            raise UserError(_mismatch(number, start, gone, old))
        parts += [*old[done:start], *_side(lines, "+")]
        done = start + len(gone)
    return "".join([*parts, *old[done:]])


def remade(rewrite: Rewrite, before: str, after: str) -> Rewrite:
    """Return the rewrite that changes ``before`` to ``after``.

    Edits that the user did not change are kept as they are, as other rewrites may share them: a label
    that two rewrites need is added once.
    """
    made = apply(before, rewrite.edits)
    start, end = _changed(made, after)
    tail = len(made) - end
    earlier: list[Edit] = []
    touched: list[Edit] = []
    later: list[Edit] = []
    for edit, low, high in _placed(rewrite.edits):
        if high < start:
            earlier.append(edit)
        elif low > end:
            later.append(edit)
        else:
            touched.append(edit)
            start, tail = min(start, low), min(tail, len(made) - high)
    shift = sum(map(_growth, earlier))
    own = Edit(
        start - shift,
        len(made) - tail - shift - sum(map(_growth, touched)),
        after[start : len(after) - tail],
    )
    return replace(rewrite, edits=(*earlier, own, *later))


def _growth(edit: Edit) -> int:
    return len(edit.text) - (edit.end - edit.start)


def _placed(edits: Sequence[Edit]) -> list[tuple[Edit, int, int]]:
    """Return the positions of the edits' texts after all edits."""
    placed = []
    shift = 0
    for edit in sorted(edits, key=lambda e: (e.start, e.end)):
        low = edit.start + shift
        placed.append((edit, low, low + len(edit.text)))
        shift += _growth(edit)
    return placed


def _changed(old: str, new: str) -> tuple[int, int]:
    """Return start and end of the range of the old text that differs in the new one."""
    start = len(os.path.commonprefix([old, new]))
    tail = len(os.path.commonprefix([old[start:][::-1], new[start:][::-1]]))
    return start, len(old) - tail


def _told(edited: str) -> list[str]:
    lines = edited.split("\n")
    if lines and not lines[-1]:
        lines.pop()
    return [line for line in lines if not line.startswith("#")]


def _hunks(edited: str) -> list[tuple[int, list[str]]]:
    """Parse hunks: the number of lines before each, and its lines."""
    found: list[tuple[int, list[str]]] = []
    for line in _told(edited):
        head = _HEAD.match(line)
        if head:
            found.append((int(head["start"]) - 1, []))
        elif not found:
            raise UserError(
                f"the first hunk starts with '{readable(line)}': keep its @@ line"
            )
        elif line[:1] in ("", " ", "+", "-") or line == _CUT:
            # Editors strip the space of an otherwise empty line.
            found[-1][1].append(line or " ")
        else:
            raise UserError(
                f"'{readable(line)}' does not start with ' ', '+', '-' or '#'"
            )
    return found


def _side(lines: Sequence[str], sign: str) -> list[str]:
    """Return the lines of a hunk on the '-' or the '+' side, with line ends."""
    side: list[str] = []
    previous = False
    for line in lines:
        if line == _CUT:
            if previous:
                side[-1] = side[-1].removesuffix("\n")
            continue
        previous = line[0] in (" ", sign)
        if previous:
            side.append(line[1:] + "\n")
    return side


def _mismatch(number: int, start: int, gone: Sequence[str], old: Sequence[str]) -> str:
    said = f"hunk {number} does not apply"
    for index, line in enumerate(gone, start):
        there = old[index] if index < len(old) else ""
        if line != there:
            edited, real = (readable(text.rstrip("\n")) for text in (line, there))
            return f"{said}: line {index + 1} of the file is '{real}', not '{edited}'"
    return f"{said}: it overlaps the previous hunk"
