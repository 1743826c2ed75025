# SPDX-License-Identifier: GPL-2.0
"""Prepare the mails of a series for sending: Message-IDs and threading."""

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
    """A mail to send: its Message-ID without brackets, its subject, its file."""

    id: str
    subject: str
    file: Path


def subject(file: Path) -> str:
    """Return the decoded subject of a mail."""
    return str(message_from_bytes(file.read_bytes(), policy=policy.default)["Subject"])


def addresses(file: Path) -> list[str]:
    """Return the bare addresses in To: and Cc: of a mail."""
    mail = message_from_bytes(file.read_bytes(), policy=policy.compat32)
    headers = [*mail.get_all("To", []), *mail.get_all("Cc", [])]
    return [address for _, address in getaddresses([str(one) for one in headers])]


def check_signed(
    repository: Repository, commits: Sequence[str], base: str, branch: str
) -> None:
    """Raise UserError if a commit has no Signed-off-by, which maintainers require.

    See "Sign your work" in Documentation/process/submitting-patches.rst.
    """
    form = f"--format=%(trailers:key={SIGNED},valueonly)"
    bare = [
        sha for sha in commits if not repository.git("log", "-1", form, sha).strip()
    ]
    if bare:
        first = read_commit(repository, bare[0]).subject
        raise UserError(
            f"{len(bare)} of {len(commits)} patches lack a {SIGNED}, first: {first}: "
            f"review them, run 'git rebase --signoff {base} {branch}', and switch back"
        )


def threaded(repository: Repository, files: Sequence[Path]) -> list[Outgoing]:
    """Add Message-IDs, and make all mails replies to the first, the cover letter.

    A Message-ID is a hash of the sender and the mail, but not of its recipients: a mail that is
    resent keeps its Message-ID.
    """
    sender = identity(repository, "").email
    domain = sender.rpartition("@")[2]
    outgoing: list[Outgoing] = []
    for file in files:
        head, found, rest = file.read_bytes().partition(b"\n\n")
        title = subject(file)
        digest = hashlib.sha256(b"\0".join([sender.encode(), title.encode(), rest]))
        name = f"{digest.hexdigest()[:ID_LENGTH]}@{domain}"
        lines = f"\nMessage-ID: <{name}>"
        if outgoing:
            first = f"<{outgoing[0].id}>"
            lines += f"\nIn-Reply-To: {first}\nReferences: {first}"
        file.write_bytes(head + lines.encode() + found + rest)
        outgoing.append(Outgoing(name, title, file))
    return outgoing
