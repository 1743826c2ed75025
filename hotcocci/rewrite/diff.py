# SPDX-License-Identifier: GPL-2.0
"""Unified diffs in git's style, aligned on unique lines."""

import os
import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from difflib import SequenceMatcher

from hotcocci.names import quoted
from hotcocci.tree.source import decode

CONTEXT = 3
# A function line in git's sense: a name in the first column.
FUNCTION = re.compile(r"[A-Za-z_$]")
FUNCTION_LENGTH = 80

Pair = tuple[int, int]
Hunk = tuple[int, int, int, int]


def unified(file: str, before: str, after: str) -> str:
    """The diff from ``before`` to ``after``, empty if they are equal; ``file`` may contain slashes."""
    if before == after:
        return ""
    old, new = before.splitlines(keepends=True), after.splitlines(keepends=True)
    # splitlines() also splits at form feeds and the like, which diff does not.
    if any(not text.endswith("\n") for text in (*old[:-1], *new[:-1])):
        old, new = _lines(before), _lines(after)
    return _printed(file, old, new, _changes(old, new))


def marked(file: str, text: str, numbers: Collection[int]) -> str:
    """A diff that only removes the lines with these numbers, empty if there are none."""
    if not numbers:
        return ""
    old = _lines(text)
    new = [line for number, line in enumerate(old, 1) if number not in numbers]
    changes = [
        (number - 1, number, number - 1 - removed, number - 1 - removed)
        for removed, number in enumerate(sorted(numbers))
    ]
    return _printed(file, old, new, changes)


def _printed(
    file: str, old: Sequence[str], new: Sequence[str], changes: Sequence[Hunk]
) -> str:
    # One character per byte, as in the texts.
    a, b = (decode(os.fsencode(quoted(f"{side}/{file}"))) for side in "ab")
    parts = [f"diff --git {a} {b}\n--- {a}\n+++ {b}\n"]
    for group in _groups(changes):
        parts.extend(_hunk(old, new, group))
    return "".join(parts)


def _lines(text: str) -> list[str]:
    return re.findall(r"[^\n]*\n|[^\n]+", text)


def _changes(old: Sequence[str], new: Sequence[str]) -> list[Hunk]:
    """The line ranges that differ: start and end in the old and in the new lines."""
    changes: list[Hunk] = []
    i = j = 0
    for a, b in [*_equal(old, 0, len(old), new, 0, len(new)), (len(old), len(new))]:
        if a > i or b > j:
            changes.append((i, a, j, b))
        i, j = a + 1, b + 1
    return changes


def _equal(
    old: Sequence[str], a: int, a_end: int, new: Sequence[str], b: int, b_end: int
) -> list[Pair]:
    """Patience diff: pairs of equal lines, in order, anchored on lines that occur only once."""
    head: list[Pair] = []
    while a < a_end and b < b_end and old[a] == new[b]:
        head.append((a, b))
        a, b = a + 1, b + 1
    tail: list[Pair] = []
    while a < a_end and b < b_end and old[a_end - 1] == new[b_end - 1]:
        a_end, b_end = a_end - 1, b_end - 1
        tail.append((a_end, b_end))
    middle: list[Pair] = []
    anchors = _anchors(old, a, a_end, new, b, b_end)
    if anchors:
        for x, y in [*anchors, (a_end, b_end)]:
            middle += _equal(old, a, x, new, b, y)
            if x < a_end:
                middle.append((x, y))
            a, b = x + 1, y + 1
    elif a < a_end and b < b_end:
        matcher = SequenceMatcher(None, old[a:a_end], new[b:b_end], autojunk=False)
        for x, y, size in matcher.get_matching_blocks():
            middle += [(a + x + k, b + y + k) for k in range(size)]
    return head + middle + tail[::-1]


def _anchors(
    old: Sequence[str], a: int, a_end: int, new: Sequence[str], b: int, b_end: int
) -> list[Pair]:
    """The longest increasing sequence of lines that are unique on both sides."""
    in_old, in_new = Counter(old[a:a_end]), Counter(new[b:b_end])
    place = {new[j]: j for j in range(b, b_end) if in_new[new[j]] == 1}
    pairs = [
        (i, place[old[i]])
        for i in range(a, a_end)
        if in_old[old[i]] == 1 and old[i] in place
    ]
    tops: list[int] = []  # smallest end of an increasing sequence, by its length
    ends: list[int] = []  # the pair at that end
    before: list[int] = []  # each pair's predecessor in its sequence
    for index, (_, j) in enumerate(pairs):
        length = bisect_left(tops, j)
        before.append(ends[length - 1] if length else -1)
        tops[length : length + 1] = [j]
        ends[length : length + 1] = [index]
    chain: list[Pair] = []
    index = ends[-1] if ends else -1
    while index >= 0:
        chain.append(pairs[index])
        index = before[index]
    return chain[::-1]


def _groups(changes: Sequence[Hunk]) -> Iterator[list[Hunk]]:
    """Group changes whose context lines overlap or touch into hunks."""
    group: list[Hunk] = []
    for change in changes:
        if group and change[0] - group[-1][1] > 2 * CONTEXT:
            yield group
            group = []
        group.append(change)
    if group:
        yield group


def _hunk(
    old: Sequence[str], new: Sequence[str], group: Sequence[Hunk]
) -> Iterator[str]:
    start = max(0, group[0][0] - CONTEXT)
    end = min(len(old), group[-1][1] + CONTEXT)
    new_start = group[0][2] - (group[0][0] - start)
    new_end = group[-1][3] + (end - group[-1][1])
    yield f"@@ -{_range(start, end)} +{_range(new_start, new_end)} @@{_function(old, start)}\n"
    at = start
    for i, i_end, j, j_end in group:
        yield from (_shown(" ", text) for text in old[at:i])
        yield from (_shown("-", text) for text in old[i:i_end])
        yield from (_shown("+", text) for text in new[j:j_end])
        at = i_end
    yield from (_shown(" ", text) for text in old[at:end])


def _range(start: int, end: int) -> str:
    length = end - start
    first = start + 1 if length else start
    return str(first) if length == 1 else f"{first},{length}"


def _function(old: Sequence[str], start: int) -> str:
    """The text after ``@@``: the enclosing function, guessed as git does."""
    for text in reversed(old[:start]):
        if FUNCTION.match(text):
            return " " + text.rstrip()[:FUNCTION_LENGTH]
    return ""


def _shown(sign: str, text: str) -> str:
    return (
        sign + text
        if text.endswith("\n")
        else f"{sign}{text}\n\\ No newline at end of file\n"
    )
