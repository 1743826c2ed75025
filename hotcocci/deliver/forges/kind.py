# SPDX-License-Identifier: GPL-2.0
"""The interface of a kind of forge, and its data.

A kind is a module in this directory with the names of ``Kind``. To add one, add such a module and a
line in ``forge.KINDS``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol
from urllib.parse import urlsplit

OPEN = "open"
CLOSED = "closed"
MERGED = "merged"
MERGING = "merging"


@dataclass(frozen=True)
class Forge:
    """A target repository of pull requests: the kind of its forge, and its name there.

    ``web`` is the root of the forge's pages: https://HOST.
    """

    kind: Kind
    web: str
    name: str

    @property
    def host(self) -> str:
        """The host, with its port."""
        return urlsplit(self.web).netloc


@dataclass(frozen=True)
class Source:
    """The source of a pull request: a branch and its repository."""

    name: str
    branch: str


@dataclass(frozen=True)
class PullRequest:
    """A pull request as the forge has it; ``into`` is its target branch.

    ``state`` is OPEN, CLOSED, MERGED or, for a moment, MERGING.
    """

    number: int
    url: str
    state: str
    into: str
    title: str
    body: str


class Kind(Protocol):
    """A kind of forge. All functions raise ForgeError if a request fails."""

    @property
    def NAME(self) -> str:
        """The name to show."""

    @property
    def HOME(self) -> str:
        """The public host of this kind (https://HOST)."""

    @property
    def PROGRAM(self) -> str:
        """The program that sends the requests."""

    @property
    def NESTED(self) -> bool:
        """Whether a name may have more than two parts (GROUP/SUBGROUP/NAME)."""

    @property
    def LONGEST(self) -> int | None:
        """The limit on characters of a pull request's text, None if there is none."""

    def get(self, forge: Forge, number: int) -> PullRequest:
        """Read a pull request."""

    def find(self, forge: Forge, source: Source) -> PullRequest | None:
        """Find the pull request from a branch: an open one, else the latest, else None."""

    def create(
        self, forge: Forge, source: Source, into: str, title: str, body: str
    ) -> PullRequest:
        """Open a pull request from a pushed branch to a branch of the forge's repository."""

    def update(self, forge: Forge, number: int, title: str, body: str) -> PullRequest:
        """Update title and body of a pull request."""


def is_same(name: str, other: str) -> bool:
    """Whether two names are of the same repository: forges ignore case."""
    return name.casefold() == other.casefold()


def best(found: Sequence[PullRequest]) -> PullRequest | None:
    """Return an open pull request, else the latest, else None."""
    return max(found, key=lambda one: (one.state == OPEN, one.number), default=None)
