# SPDX-License-Identifier: GPL-2.0
"""Parse the messages of compilers and checkers, and compare those of two file versions."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from hotcocci.tree.source import decode

WARNING = "warning"
ERROR = "error"

LINE = re.compile(
    r"^(?P<file>[^:\s][^:]*):(?:(?P<line>\d+):(?:\d+:)?)? "
    r"(?P<kind>warning|error|fatal error): (?P<text>.*)$"
)
# "the frame size of 2064 bytes is larger than 2048 bytes": another size is not a new warning.
FRAME = re.compile(r"frame size of \d+ bytes")

# What each line of a checker's output begins with: a file and a line, or it continues one that does.
PLACED = re.compile(r"^\S.*?:\d+\b", re.MULTILINE)


@dataclass(frozen=True)
class Message:
    """A warning or an error. ``file`` is relative to the tree; ``line`` is 0 if unknown."""

    file: str
    line: int
    kind: str
    text: str

    def __str__(self) -> str:
        where = f"{self.file}:{self.line}" if self.line else self.file
        return f"{where}: {self.kind}: {self.text}"

    @property
    def subject(self) -> tuple[str, str, str]:
        """The part of a message that stays the same when lines move."""
        return self.file, self.kind, FRAME.sub("frame size of N bytes", self.text)


def parse(said: str, *roots: str) -> tuple[Message, ...]:
    """The messages in a program's output; names below one of ``roots`` lose that prefix.

    Notes, "In function" lines and quoted source are left out. ``said`` has one character per
    byte.
    """
    messages = []
    folders = [decode(os.fsencode(f"{root}/")) for root in roots]
    for line in said.splitlines():
        for folder in folders:
            line = line.replace(folder, "")
        found = LINE.match(line)
        if found:
            kind = WARNING if found["kind"] == "warning" else ERROR
            number = int(found["line"] or 0)
            messages.append(Message(found["file"], number, kind, found["text"].strip()))
    return tuple(messages)


def garbled(said: str, known: re.Pattern[str] = PLACED) -> str:
    """Why the output of a checker that exits with 0 is no answer; empty if it is one.

    No output is one. Otherwise a line of it matches ``known``, and the last is complete.
    """
    lines = said.strip().splitlines()
    if lines and not known.search(said):
        return f"it prints {lines[0][:80]!r}, which is no answer: reinstall it"
    if said and not said.endswith("\n"):
        return f"its output is cut off after {lines[-1][-80:]!r}: run it again"
    return ""


def new(before: Iterable[Message], after: Iterable[Message]) -> tuple[Message, ...]:
    """The messages in ``after`` that are not in ``before``, counting repetitions."""
    known = Counter(message.subject for message in before)
    fresh = []
    for message in after:
        if known[message.subject] > 0:
            known[message.subject] -= 1
        else:
            fresh.append(message)
    return tuple(fresh)
