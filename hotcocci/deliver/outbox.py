# SPDX-License-Identifier: GPL-2.0
"""Send the mails of a series: Message-IDs and threading, git send-email, and a record of what was sent.

git send-email has the user's server, name and password (git-send-email(1)).
"""

from __future__ import annotations

import fcntl
import hashlib
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from email import message_from_bytes, policy
from email.utils import getaddresses
from pathlib import Path

from hotcocci.deliver.gitrepo import (
    GitError,
    Repository,
    identity,
    read_commit,
)
from hotcocci.errors import UserError
from hotcocci.tree.process import MissingProgram, run

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


# Recipients and threading are already in the mails, so override the user's settings for them. A bcc
# from the settings is kept, and shown before anything is sent.
SEND_OPTIONS = (
    *("--no-thread", "--no-chain-reply-to", "--no-to", "--no-cc", "--confirm=never"),
    *("--suppress-cc=author", "--suppress-cc=body", "--suppress-cc=cccmd"),
    # A Signed-off-by of the sender counts as self, not as body.
    *("--suppress-cc=self", "--suppress-from", "--no-signed-off-by-cc"),
    *("--no-format-patch", "--no-annotate", "--8bit-encoding=UTF-8"),
    # Without a --to option it prompts for recipients, even if the mails have them.
    "--to-cmd=true",
)
TIMEOUT = 60.0
MODULE = "Mail::Address"
_BLOCK = "Dry-OK. Log says:\n"
_ADDRESS = re.compile(r"^RCPT TO:<(.*)>$", re.MULTILINE)
_SENDER = re.compile(r"^From: (.*)$", re.MULTILINE)


@dataclass(frozen=True)
class Envelope:
    """How a mail is sent: server or program, sender, and bare addresses of the recipients."""

    server: str
    sender: str
    recipients: tuple[str, ...]


def check_program(repository: Repository) -> None:
    """Raise UserError if git cannot send mails here."""
    program = Path(repository.git("--exec-path").strip()) / "git-send-email"
    # Debian's git-email only recommends this module, though it needs it.
    if not program.exists() or not _has(MODULE):
        raise UserError(
            "git send-email is not installed: install it (Debian: apt install git-email libmailtools-perl)"
        )


def preview(repository: Repository, files: Sequence[Path]) -> list[Envelope]:
    """Return what git send-email would do with each file, by --dry-run.

    Raises GitError if it rejects one.
    """
    words = ["send-email", "--dry-run", *SEND_OPTIONS, *map(str, files)]
    code, out, err = repository.as_user(*words)
    blocks = out.split(_BLOCK)[1:]
    if code != 0 or len(blocks) != len(files):
        raise GitError(f"git send-email --dry-run failed: {complaint(err or out)}")
    return [_envelope(block) for block in blocks]


def send(repository: Repository, file: Path) -> None:
    """Send one mail. Raises GitError with the server's answer if it is rejected."""
    words = ["send-email", "--quiet", *SEND_OPTIONS, str(file)]
    code, out, err = repository.as_user(*words)
    if code != 0:
        raise GitError(complaint(err or out))


def complaint(said: str) -> str:
    """Return the last line of a program's output, without Perl's "at FILE line N."."""
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    last = lines[-1] if lines else "no error message"
    return re.sub(r" at \S+ line \d+\.$", "", last)


def _has(module: str) -> bool:
    try:
        return run(["perl", f"-M{module}", "-e", "1"], Path("/"), TIMEOUT).status == 0
    except MissingProgram:
        return False


def _envelope(block: str) -> Envelope:
    first, _, rest = block.partition("\n")
    how, _, server = first.partition(": ")
    sender = _SENDER.search(block)
    if how == "Server":
        found = _ADDRESS.findall(block)
    else:
        # Sendmail: /usr/bin/msmtp -i ADDRESS…
        server, _, words = server.partition(" -i ")
        found = words.split()
    return Envelope(server, sender[1] if sender else "", tuple(found))


REFS = "refs/hotcocci/sent"


@dataclass(frozen=True)
class Sent:
    """A version of a series: the Message-IDs of all its mails and of those sent."""

    version: int
    mails: tuple[str, ...]
    sent: tuple[str, ...] = ()


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
