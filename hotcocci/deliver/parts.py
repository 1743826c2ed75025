# SPDX-License-Identifier: GPL-2.0
"""What a series is made of: changed files with their proofs, gathered by subsystem."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from hotcocci.deliver.maintainers import Section, subsystem
from hotcocci.findings import Proof, Rewrite

# Enough to tell the rewrites of a tree apart.
ID_LENGTH = 16


@dataclass(frozen=True)
class Part:
    """One file before and after its rewrites, and what was checked about them."""

    file: str
    before: str
    after: str
    rewrites: tuple[Rewrite, ...]
    proof: Proof


@dataclass(frozen=True)
class Patch:
    """What becomes one commit: the parts that belong to one subsystem."""

    subsystem: str
    parts: tuple[Part, ...]

    @property
    def rewrites(self) -> tuple[Rewrite, ...]:
        """All rewrites, in the order of the files."""
        return tuple(rewrite for part in self.parts for rewrite in part.rewrites)

    @property
    def ids(self) -> tuple[str, ...]:
        """What its rewrites are known by from run to run, sorted."""
        return tuple(
            sorted(rewrite_id(p.before, r) for p in self.parts for r in p.rewrites)
        )


def rewrite_id(before: str, rewrite: Rewrite) -> str:
    """What a rewrite is known by as long as nobody changes the lines it is about.

    It hashes the rule, the file, the function, and these lines without their white space:
    lines may move, and a later version may write something else in their place.
    """
    finding = rewrite.finding
    lines = before.split("\n")[finding.line - 1 : finding.end_line]
    words = " ".join(" ".join(lines).split())
    told = (finding.rule, finding.file, finding.function or "", words)
    return hashlib.sha256("\0".join(told).encode()).hexdigest()[:ID_LENGTH]


def by_subsystem(parts: Sequence[Part], sections: Sequence[Section]) -> list[Patch]:
    """A patch for each subsystem, sorted by its name.

    What no section of MAINTAINERS claims goes by its folder.
    """
    gathered: dict[str, list[Part]] = {}
    for part in sorted(parts, key=lambda part: part.file):
        name = subsystem(sections, part.file) or str(PurePosixPath(part.file).parent)
        gathered.setdefault(name, []).append(part)
    return [Patch(name, tuple(own)) for name, own in sorted(gathered.items())]
