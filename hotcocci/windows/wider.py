# SPDX-License-Identifier: GPL-2.0
"""Find windows opened in both directions that are used in one: UW25."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from hotcocci.c.expression import Call, Name
from hotcocci.c.flow import Graph
from hotcocci.findings import READ, READ_WRITE, WRITE
from hotcocci.tree.kernel import UACCESS
from hotcocci.tree.source import read_text
from hotcocci.windows.effects import directions
from hotcocci.windows.outcome import OPEN, Outcome, Violation
from hotcocci.windows.vocabulary import BEGINS, SCOPES

_NARROW = re.compile(
    r"^[ \t]*#[ \t]*define[ \t]+user_read_access_begin\b", re.MULTILINE
)
_DOES = {READ: "reads", WRITE: "writes"}


@dataclass(frozen=True)
class Wide:
    """A begin or scope of both directions at an offset, whose windows use only one."""

    at: int
    name: str
    direction: str

    @property
    def narrow(self) -> str:
        """The begin or scope of that direction."""
        return narrowed(self.name, self.direction)


def violations(
    graph: Graph, outcome: Outcome, root: Path, file: str, one_flavour: bool
) -> Iterator[Violation]:
    """Begins of both directions in a function whose windows use only one.

    ``one_flavour`` is true if the tree has a single masked begin for reads and writes.
    """
    for wide in wide_windows(graph, outcome, root, file, one_flavour):
        said = f"{wide.name}() {described(wide)}: use {wide.narrow}()"
        yield Violation("UW25", wide.at, said)


def described(wide: Wide) -> str:
    """What is wrong with a begin, for a message that begins with it."""
    return f"opens both directions, but the window only {_DOES[wide.direction]}"


def wide_windows(
    graph: Graph, outcome: Outcome, root: Path, file: str, one_flavour: bool
) -> Iterator[Wide]:
    """The windows of `violations`, in source order."""
    if not _told_apart(root, file):
        return
    for begin, name in sorted(_wide(graph, one_flavour)):
        used = used_directions(outcome, begin, root, file)
        if used is not None and len(used) == 1:
            yield Wide(begin, name, next(iter(used)))


def used_directions(
    outcome: Outcome, begin: int, root: Path, file: str
) -> frozenset[str] | None:
    """The directions in which the windows opened at an offset are used; None if not known."""
    if any(e.window.kind == OPEN and e.window.at == begin for e in outcome.exits):
        return None  # The caller uses it as well.
    found: set[str] = set()
    for name in sorted(name for at, name in outcome.uses if at == begin):
        made = directions(root, file, name)
        if made is None:
            return None
        found |= made
    return frozenset(found)


def narrowed(name: str, direction: str) -> str:
    """The begin, end or scope of one direction that corresponds to one of both."""
    if "_rw_" in name:
        return name.replace("_rw_", f"_{direction}_")
    return name.replace("user_access_", f"user_{direction}_access_")


def _wide(graph: Graph, one_flavour: bool) -> Iterator[tuple[int, str]]:
    """The begins and scopes of both directions, with their offsets."""
    for _, part in graph.expressions():
        if isinstance(part, Call) and isinstance(part.function, Name):
            begin = BEGINS.get(part.function.text)
            if begin is None or begin.flavour != READ_WRITE:
                continue
            if not (begin.masked and one_flavour):
                yield part.start, part.function.text
    for scope in graph.scopes:
        if SCOPES.get(scope.name) == READ_WRITE:
            yield scope.statement.start, scope.name


@lru_cache(maxsize=1024)
def _told_apart(root: Path, file: str) -> bool:
    """Whether the tree, or the architecture of the file, has a begin for each direction (5.7 and newer)."""
    parts = file.split("/")
    header = root / UACCESS
    if parts[0] == "arch" and len(parts) >= 3:
        header = root / "arch" / parts[1] / "include/asm/uaccess.h"
    return header.is_file() and _NARROW.search(read_text(header)) is not None
