# SPDX-License-Identifier: GPL-2.0
"""What every kind of forge has to offer, and the data of it.

A kind is a module of this folder with the names of ``Kind``. Another one is one more such file, and
a line in ``forge.KINDS``.
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
    """A repository that takes pull requests: the kind of its forge, and its name there.

    ``web`` is where the forge's pages begin (https://HOST, with a folder if it lives in one),
    ``api`` its API, ``auth`` the headers that say who asks.
    """

    kind: Kind
    web: str
    api: str
    name: str
    auth: Mapping[str, str] = field(default_factory=dict, repr=False)


@dataclass(frozen=True)
class Source:
    """The branch that a pull request is from, and the repository that it was pushed to."""

    name: str
    branch: str


@dataclass(frozen=True)
class PullRequest:
    """A pull request as the forge has it; ``into`` is the branch that it is for.

    ``state`` is OPEN, CLOSED, MERGED or, for a moment, MERGING.
    """

    number: int
    url: str
    state: str
    into: str
    title: str
    body: str


class Kind(Protocol):
    """One kind of forge. All of its functions raise ForgeError if they are not answered."""

    @property
    def NAME(self) -> str:
        """What people call it."""

    @property
    def HOME(self) -> str:
        """The host that is known to be one (https://HOST), empty if there is none."""

    @property
    def NESTED(self) -> bool:
        """Whether a name may have more than two words (GROUP/SUBGROUP/NAME)."""

    @property
    def LONGEST(self) -> int | None:
        """The most characters of a pull request's text, None if there is no limit."""

    def find_api(self, web: str) -> str | None:
        """The API of a forge whose pages begin there, None if it is not of this kind."""

    def variables(self, web: str) -> Sequence[str]:
        """The environment variables that hold a token for it, the first that is set counts."""

    def authorization(self, user: str, secret: str) -> str:
        """The header ``Authorization``; ``user`` is empty for a token of the environment."""

    def get(self, forge: Forge, number: int) -> PullRequest:
        """One pull request."""

    def find(self, forge: Forge, source: Source) -> PullRequest | None:
        """The pull request from a branch: an open one if there is, else the latest, else None."""

    def create(
        self, forge: Forge, source: Source, into: str, title: str, body: str
    ) -> PullRequest:
        """Open a pull request from a branch that was pushed into one of the forge's repository."""

    def update(self, forge: Forge, number: int, title: str, body: str) -> PullRequest:
        """Give a pull request another text."""


def is_same(name: str, other: str) -> bool:
    """Whether two names are of one repository: no forge tells capitals apart."""
    return name.casefold() == other.casefold()


def best(found: Sequence[PullRequest]) -> PullRequest | None:
    """Of several pull requests an open one, else the latest."""
    return max(found, key=lambda one: (one.state == OPEN, one.number), default=None)
