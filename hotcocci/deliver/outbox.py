# SPDX-License-Identifier: GPL-2.0
"""The mails of a series as they are sent: each with its name, below the cover letter."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from email import message_from_bytes, policy
from email.utils import getaddresses
from pathlib import Path

from hotcocci.deliver.gitrepo import Repository, identity, read_commit
from hotcocci.errors import UserError

SIGNED = "Signed-off-by"
ID_LENGTH = 24


@dataclass(frozen=True)
class Outgoing:
    """A mail that is to be sent: its Message-ID without the brackets, its subject, its file."""

    id: str
    subject: str
    file: Path


def subject(file: Path) -> str:
    """The subject of a mail, as people read it."""
    return str(message_from_bytes(file.read_bytes(), policy=policy.default)["Subject"])


def addresses(file: Path) -> list[str]:
    """The bare addresses that a mail says it goes to."""
    mail = message_from_bytes(file.read_bytes(), policy=policy.compat32)
    told = [*mail.get_all("To", []), *mail.get_all("Cc", [])]
    return [address for _, address in getaddresses([str(one) for one in told])]


def check_signed(
    repository: Repository, commits: Sequence[str], base: str, branch: str
) -> None:
    """Raise UserError if no one signed a commit off, without which no maintainer takes it.

    See "Sign your work" in Documentation/process/submitting-patches.rst.
    """
    form = f"--format=%(trailers:key={SIGNED},valueonly)"
    bare = [
        sha for sha in commits if not repository.git("log", "-1", form, sha).strip()
    ]
    if bare:
        first = read_commit(repository, bare[0]).subject
        raise UserError(
            f"{len(bare)} of {len(commits)} patches have no {SIGNED}, which is yours to give ({first}): "
            f"look at them, sign off by 'git rebase --signoff {base} {branch}', and switch back"
        )


def threaded(repository: Repository, files: Sequence[Path]) -> list[Outgoing]:
    """Name the mails, and make all of them answers to the first, which is the cover letter.

    A name follows from the sender and from what the mail says, not from who gets it: one that is
    sent again, as no one knows whether it arrived, arrives under the name it had.
    """
    sender = identity(repository, "").email
    domain = sender.rpartition("@")[2]
    outgoing: list[Outgoing] = []
    for file in files:
        head, found, rest = file.read_bytes().partition(b"\n\n")
        title = subject(file)
        told = hashlib.sha256(b"\0".join([sender.encode(), title.encode(), rest]))
        name = f"{told.hexdigest()[:ID_LENGTH]}@{domain}"
        lines = f"\nMessage-ID: <{name}>"
        if outgoing:
            first = f"<{outgoing[0].id}>"
            lines += f"\nIn-Reply-To: {first}\nReferences: {first}"
        file.write_bytes(head + lines.encode() + found + rest)
        outgoing.append(Outgoing(name, title, file))
    return outgoing
