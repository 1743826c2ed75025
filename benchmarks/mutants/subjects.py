# SPDX-License-Identifier: GPL-2.0
"""Split a change into one change per rewritten function."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from hotcocci.proof.task import Task

# The first line of a function, as diff shows it.
HEADER = re.compile(
    r"(?=[A-Za-z_])(?:\w*SYSCALL_DEFINE\d\(|.*?\b(?=\w+\s*\())(?P<name>\w+)"
)


@dataclass(frozen=True)
class Subject:
    """A task that changes one function, and the lines of that function before and after.

    ``head`` and ``tail`` are the rest of the file after the change.
    """

    task: Task
    function: str
    before: tuple[str, ...]
    after: tuple[str, ...]
    head: tuple[str, ...]
    tail: tuple[str, ...]

    def broken(self, lines: Sequence[str]) -> Task:
        """Build the task with these lines as the function."""
        return replace(self.task, new="\n".join([*self.head, *lines, *self.tail]))


def subjects(task: Task) -> Iterator[Subject]:
    """Yield each function changed on both sides; changes outside functions go with every one."""
    before, after = task.old.split("\n"), task.new.split("\n")
    places = spans(after)
    blocks = difflib.SequenceMatcher(None, before, after, autojunk=False).get_opcodes()
    owners = [_owner(places, block[3], block[4]) for block in blocks]
    changed = {
        owner
        for block, owner in zip(blocks, owners, strict=True)
        if owner and block[0] != "equal"
    }
    for name in sorted(changed):
        lines: list[str] = []
        for (tag, a, b, c, d), owner in zip(blocks, owners, strict=True):
            own = tag == "equal" or owner in ("", name)
            lines += after[c:d] if own else before[a:b]
        new, old = spans(lines).get(name), spans(before).get(name)
        if new and old:
            yield Subject(
                replace(task, new="\n".join(lines)),
                name,
                tuple(before[slice(*old)]),
                tuple(lines[slice(*new)]),
                tuple(lines[: new[0]]),
                tuple(lines[new[1] :]),
            )


def spans(lines: Sequence[str]) -> dict[str, tuple[int, int]]:
    """Map functions to the lines of their bodies, braces included; the last definition of a name wins."""
    found = {}
    start: int | None = None
    for number, line in enumerate(lines):
        if line == "{":
            start = number
        elif line == "}" and start is not None:
            name = _name(lines, start)
            if name:
                found[name] = (start, number + 1)
            start = None
    return found


def _name(lines: Sequence[str], brace: int) -> str:
    for line in reversed(lines[max(brace - 8, 0) : brace]):
        header = HEADER.match(line)
        if header:
            return header["name"]
    return ""


def _owner(places: dict[str, tuple[int, int]], start: int, end: int) -> str:
    """Name the function that contains some lines; empty if there is none."""
    for name, (first, last) in places.items():
        if first <= start and max(start, end - 1) < last:
            return name
    return ""
