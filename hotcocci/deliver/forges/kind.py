# SPDX-License-Identifier: GPL-2.0
"""The interface of a kind of forge, and its data.

A kind is a module in this directory with the names of ``Kind``. To add one, add such a module and a
line in ``forge.KINDS``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

OPEN = "open"
CLOSED = "closed"
MERGED = "merged"
MERGING = "merging"


@dataclass(frozen=True)
class Forge:
    """A target repository of pull requests: the kind of its forge, and its name there.

    ``web`` is the root of the forge's pages (https://HOST, or a subdirectory), ``api`` its API,
    ``auth`` the headers for authentication.
    """

    kind: Kind
    web: str
    api: str
    name: str
    auth: Mapping[str, str] = field(default_factory=dict, repr=False)


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
        """The public host of this kind (https://HOST), empty if there is none."""

    @property
    def NESTED(self) -> bool:
        """Whether a name may have more than two parts (GROUP/SUBGROUP/NAME)."""

    @property
    def LONGEST(self) -> int | None:
        """The limit on characters of a pull request's text, None if there is none."""

    def find_api(self, web: str) -> str | None:
        """Return the API of the forge at this address, None if it is not of this kind."""

    def variables(self, web: str) -> Sequence[str]:
        """Return the environment variables with a token; the first one set is used."""

    def authorization(self, user: str, secret: str) -> str:
        """Return the ``Authorization`` header; ``user`` is empty for a token from the environment."""

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
