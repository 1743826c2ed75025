# SPDX-License-Identifier: GPL-2.0
"""Record which mails of a series were sent, so that none is sent twice."""

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
    """A version of a series: the Message-IDs of all its mails and of those sent."""

    version: int
    mails: tuple[str, ...]
    sent: tuple[str, ...] = ()


def ref_of(branch: str) -> str:
    """Return the ref with the record of a branch."""
    return f"{REFS}/{branch}"


def read(repository: Repository, branch: str) -> Sent | None:
    """Read what was sent, None if nothing was. Raises UserError if the record is invalid."""
    ref = ref_of(branch)
    data = remembered.read(repository, ref)
    if data is None:
        return None
    try:
        return Sent(int(data["version"]), tuple(data["mails"]), tuple(data["sent"]))
    except (ValueError, KeyError, TypeError) as error:
        raise remembered.unreadable(ref) from error


def write(repository: Repository, branch: str, sent: Sent) -> None:
    """Record what was sent. Raises GitError if git cannot write it."""
    remembered.write(repository, ref_of(branch), asdict(sent))


def going_on(known: Sent | None, version: int, mails: Sequence[str]) -> Sent:
    """Return what was sent of these mails; ``known`` is the record.

    Raises UserError if this version was sent with other mails, or a later version was sent.
    """
    begun = known is not None and bool(known.sent)
    if known is None or not begun or known.version < version:
        return Sent(version, tuple(mails))
    if known.version > version:
        raise UserError(
            f"version {known.version} of the series was already sent: "
            f"use --reroll-count {known.version + 1}"
        )
    if known.mails != tuple(mails):
        raise UserError(
            f"the series changed after {len(known.sent)} of its {len(known.mails)} mails were sent: "
            f"send it as a new version with --reroll-count {version + 1}"
        )
    return known


@contextmanager
def alone(repository: Repository) -> Iterator[None]:
    """Lock the repository for sending. Raises UserError if another run holds the lock."""
    with (repository.common / "hotcocci-send.lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise UserError(
                f"another run is sending mails from {repository.root}: wait for it to finish"
            ) from error
        yield
