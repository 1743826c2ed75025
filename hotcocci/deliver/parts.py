# SPDX-License-Identifier: GPL-2.0
"""Group changed files and their proofs into patches, one per rule and subsystem."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from hotcocci.deliver.maintainers import Section, subsystem
from hotcocci.findings import Change, Gain, Proof, Rewrite

# Hexadecimal digits: enough to tell the rewrites of a tree apart.
ID_LENGTH = 16

# The subsystem and the rule of a patch
Key = tuple[str, str]


@dataclass(frozen=True)
class Part(Change):
    """One file before and after its rewrites, with their proof; an earlier patch changes ``others``."""

    rewrites: tuple[Rewrite, ...] = ()
    proof: Proof = Proof("")


@dataclass(frozen=True)
class Patch:
    """The content of one commit: the rewrites of one rule in one subsystem.

    Or, without rewrites, a change of another file that the rewrites of its rule need.
    """

    subsystem: str
    rule: str
    parts: tuple[Part, ...]

    @property
    def key(self) -> Key:
        """What tells it from the other patches of a series."""
        shared = "" if self.rewrites else f" ({self.parts[0].file})"
        return self.subsystem, self.rule + shared

    @property
    def rewrites(self) -> tuple[Rewrite, ...]:
        """All rewrites, in file order."""
        return tuple(rewrite for part in self.parts for rewrite in part.rewrites)

    @property
    def gains(self) -> tuple[Gain, ...]:
        """All gains, in file order."""
        return tuple(gain for part in self.parts for gain in part.proof.gains)

    @property
    def ids(self) -> tuple[str, ...]:
        """The sorted ids of its rewrites, stable across runs."""
        return tuple(
            sorted(rewrite_id(p.old, r) for p in self.parts for r in p.rewrites)
        )


def rewrite_id(before: str, rewrite: Rewrite) -> str:
    """Return an id of a rewrite that is stable while the original lines do not change.

    It hashes rule, file, function and the original lines without white space. Lines may move, and a
    later version may generate different code.
    """
    finding = rewrite.finding
    lines = before.split("\n")[finding.line - 1 : finding.end_line]
    words = " ".join(" ".join(lines).split())
    key = (finding.rule, finding.file, finding.function or "", words)
    return hashlib.sha256("\0".join(key).encode()).hexdigest()[:ID_LENGTH]


def needed(patches: Sequence[Patch], sections: Sequence[Section]) -> list[Patch]:
    """Return the patches that these need before them: one per rule and other file.

    They have no proof of their own: what they add is compiled where it is used.
    """
    wanted = {
        (patch.rule, other): None
        for patch in patches
        for part in patch.parts
        for other in part.others
    }
    return [
        Patch(
            _subsystem(sections, other.file),
            rule,
            (Part(other.file, other.old, other.new, proof=Proof(other.file)),),
        )
        for rule, other in wanted
    ]


def by_subsystem(
    rule: str, parts: Sequence[Part], sections: Sequence[Section]
) -> list[Patch]:
    """Return one patch of a rule's rewrites per subsystem, sorted by name.

    Files without a MAINTAINERS entry are grouped by directory.
    """
    gathered: dict[str, list[Part]] = {}
    for part in sorted(parts, key=lambda part: part.file):
        gathered.setdefault(_subsystem(sections, part.file), []).append(part)
    return [Patch(name, rule, tuple(own)) for name, own in sorted(gathered.items())]


def _subsystem(sections: Sequence[Section], file: str) -> str:
    return subsystem(sections, file) or str(PurePosixPath(file).parent)
