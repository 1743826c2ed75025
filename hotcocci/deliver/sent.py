# SPDX-License-Identifier: GPL-2.0
"""Which mails of a series were sent: remembered beside the branch, so that none is sent twice."""

from __future__ import annotations

import fcntl
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass

from hotcocci.deliver import remembered
from hotcocci.deliver.gitrepo import Repository
from hotcocci.errors import UserError

REFS = "refs/hotcocci/sent"


@dataclass(frozen=True)
class Sent:
    """A version of a series: the Message-IDs of all its mails, and of those that were sent."""

    version: int
    mails: tuple[str, ...]
    sent: tuple[str, ...] = ()


def ref_of(branch: str) -> str:
    """The ref that remembers what was sent of a branch."""
    return f"{REFS}/{branch}"


def read(repository: Repository, branch: str) -> Sent | None:
    """What was sent, None if nothing was. Raises UserError if it cannot be read."""
    ref = ref_of(branch)
    told = remembered.read(repository, ref)
    if told is None:
        return None
    try:
        return Sent(int(told["version"]), tuple(told["mails"]), tuple(told["sent"]))
    except (ValueError, KeyError, TypeError) as error:
        raise remembered.unreadable(ref) from error


def write(repository: Repository, branch: str, told: Sent) -> None:
    """Remember what was sent. Raises GitError if git cannot write it."""
    remembered.write(repository, ref_of(branch), asdict(told))


def going_on(known: Sent | None, version: int, mails: Sequence[str]) -> Sent:
    """What was sent of these mails, where ``known`` is what is remembered.

    Raises UserError if others were sent as this version, or a later version was.
    """
    begun = known is not None and bool(known.sent)
    if known is None or not begun or known.version < version:
        return Sent(version, tuple(mails))
    if known.version > version:
        raise UserError(
            f"version {known.version} of the series was sent before: "
            f"give the next one by --reroll-count {known.version + 1}"
        )
    if known.mails != tuple(mails):
        raise UserError(
            f"the series is not what it was when {len(known.sent)} of its {len(known.mails)} mails were sent: "
            f"send it as the next version by --reroll-count {version + 1}"
        )
    return known


@contextmanager
def alone(repository: Repository) -> Iterator[None]:
    """While no other run sends mails from this repository. Raises UserError if one does."""
    with (repository.common / "hotcocci-send.lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise UserError(
                f"another run sends mails from {repository.root}: wait for its end"
            ) from error
        yield
