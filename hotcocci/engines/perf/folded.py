# SPDX-License-Identifier: GPL-2.0
"""Parse folded stacks, the input of flame graphs: ``command;main;do_syscall_64;vfs_read 42``.

The outermost function comes first. Scripts that fold perf's output can mark the kernel's functions
``_[k]`` and inlined ones ``_[i]``; without any mark, all functions count.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator

from hotcocci.engines.perf.profile import Frame, Profile, charged, profile
from hotcocci.errors import UserError

STACK = re.compile(r"^(?P<stack>[^;]+(?:;[^;]+)+) (?P<count>\d+)$")
_MARK = re.compile(r"_\[(?P<mark>[kijw])\]$")


def read(lines: Iterable[str]) -> Profile:
    """Sum up the stacks into a profile. Raises UserError if there are none."""
    stacks = Counter[tuple[str, ...]]()
    for line in lines:
        found = STACK.match(line.rstrip("\n"))
        if found:
            stacks[tuple(found["stack"].split(";"))] += int(found["count"])
    if not stacks.total():
        raise UserError("these folded stacks have no samples: record a longer profile")
    marked = any("_[k]" in frame for stack in stacks for frame in stack)
    return profile(_pieces(stacks, marked), stacks.total())


def _pieces(
    stacks: Counter[tuple[str, ...]], marked: bool
) -> Iterator[tuple[list[str], float]]:
    for stack, count in stacks.items():
        # The first is the command.
        frames = [_frame(name) for name in reversed(stack[1:])]
        sampled = next((mark for _, mark in frames if mark != "i"), "")
        if not marked or sampled == "k":
            yield charged([Frame(name, mark == "i") for name, mark in frames]), count


def _frame(name: str) -> tuple[str, str]:
    mark = _MARK.search(name)
    return (name[: mark.start()], mark["mark"]) if mark else (name, "")
