# SPDX-License-Identifier: GPL-2.0
"""Convert a rewrite to hunks for the user to edit, and back."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from hotcocci.c.source import apply
from hotcocci.errors import UserError
from hotcocci.findings import Edit, Gain, Rewrite
from hotcocci.pipeline.changes import Change, Gated
from hotcocci.rewrite import diff
from hotcocci.saves import is_of
from hotcocci.tree.kernel import Tree
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


# Checks changes of a tree
Check = Callable[[Tree, Sequence[Change]], Gated]


@dataclass(frozen=True)
class Offer:
    """A rewrite that passed its checks, with the change of its file and its function's gains."""

    tree: Tree
    change: Change
    rewrite: Rewrite
    gains: tuple[Gain, ...]


@dataclass(frozen=True)
class Taken:
    """A rewrite that was taken; ``edited`` has the user's hunks if it was edited."""

    offer: Offer
    rewrite: Rewrite
    edited: str = ""


def offers_of(tree: Tree, gated: Gated) -> Iterator[Offer]:
    """Return each rewrite that passed, by file and line."""
    measured = {proof.file: proof.gains for proof in gated.proofs}
    for change in gated.passed:
        for rewrite in sorted(change.rewrites, key=lambda r: r.finding.line):
            gains = measured.get(change.file, ())
            own = [gain for gain in gains if is_of(gain, rewrite.finding)]
            yield Offer(tree, change, rewrite, tuple(own))


def check_fit(offer: Offer, rewrite: Rewrite, taken: Sequence[Taken]) -> None:
    """Raise UserError if a rewrite conflicts with one that was taken."""
    for other in (t for t in taken if t.offer.change is offer.change):
        try:
            offer.change.only([other.rewrite, rewrite])
        except ValueError as error:
            line = other.rewrite.finding.line
            raise UserError(
                f"this rewrite conflicts with the rewrite taken at line {line}"
            ) from error


def check_edited(offer: Offer, rewrite: Rewrite, check: Check) -> None:
    """Raise UserError if an edited rewrite does not pass the checks; the message says why."""
    change = offer.change
    alone = change.only([rewrite])
    gated = check(offer.tree, [alone])
    if not gated.passed:
        said = [f"refused: {finding.message}" for finding in gated.refused]
        skips = (*gated.held, *gated.unproven)
        said += [f"not taken: {skip.reason}" for skip in skips]
        raise UserError("\n".join(said))


def keep_taken(tree: Tree, gated: Gated, taken: Sequence[Taken], check: Check) -> Gated:
    """Return the gate of a tree with only the rewrites that were taken.

    Files of which only some rewrites were taken are checked again.
    """
    whole: list[Change] = []
    parts: list[Change] = []
    for change in gated.passed:
        own = [t.rewrite for t in taken if t.offer.change is change]
        if own == sorted(change.rewrites, key=lambda r: r.finding.line):
            whole.append(change)
        elif own:
            parts.append(change.only(own))
    again = check(tree, parts) if parts else Gated((), (), (), ())
    kept = {change.file for change in whole}
    return replace(
        gated,
        passed=tuple(sorted([*whole, *again.passed], key=lambda c: c.file)),
        refused=(*gated.refused, *again.refused),
        held=(*gated.held, *again.held),
        uncompiled=(
            *(skip for skip in gated.uncompiled if skip.file in kept),
            *again.uncompiled,
        ),
        unproven=(*gated.unproven, *again.unproven),
        proofs=tuple(
            sorted(
                [*(p for p in gated.proofs if p.file in kept), *again.proofs],
                key=lambda proof: proof.file,
            )
        ),
    )
