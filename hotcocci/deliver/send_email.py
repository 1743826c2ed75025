# SPDX-License-Identifier: GPL-2.0
"""Run git send-email, which has the user's server, name and password (git-send-email(1))."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from hotcocci.deliver.gitrepo import GitError, Repository
from hotcocci.errors import UserError
from hotcocci.tree.process import MissingProgram, run

# Recipients and threading are already in the mails, so override the user's settings for them. A bcc
# from the settings is kept, and shown before anything is sent.
OPTIONS = (
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


def check(repository: Repository) -> None:
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
    words = ["send-email", "--dry-run", *OPTIONS, *map(str, files)]
    code, out, err = repository.as_user(*words)
    blocks = out.split(_BLOCK)[1:]
    if code != 0 or len(blocks) != len(files):
        raise GitError(f"git send-email --dry-run failed: {complaint(err or out)}")
    return [_envelope(block) for block in blocks]


def send(repository: Repository, file: Path) -> None:
    """Send one mail. Raises GitError with the server's answer if it is rejected."""
    words = ["send-email", "--quiet", *OPTIONS, str(file)]
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
