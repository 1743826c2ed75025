# SPDX-License-Identifier: GPL-2.0
"""git send-email, which knows the user's server, name and password (git-send-email(1))."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from hotcocci.deliver.gitrepo import GitError, Repository
from hotcocci.errors import UserError
from hotcocci.tree.process import MissingProgram, run

# The mails say who gets them, and what they answer. That no one else does is not left to the
# user's settings; a bcc to oneself is, and is shown before anything is sent.
OPTIONS = (
    *("--no-thread", "--no-chain-reply-to", "--no-to", "--no-cc", "--confirm=never"),
    *("--suppress-cc=author", "--suppress-cc=body", "--suppress-cc=cccmd"),
    # Whoever signed off as the sender counts as self, not as one of the body.
    *("--suppress-cc=self", "--suppress-from", "--no-signed-off-by-cc"),
    *("--no-format-patch", "--no-annotate", "--8bit-encoding=UTF-8"),
    # Without any it asks on the terminal to whom the mails are to go, although they say so.
    "--to-cmd=true",
)
TIMEOUT = 60.0
MODULE = "Mail::Address"
_BLOCK = "Dry-OK. Log says:\n"
_ADDRESS = re.compile(r"^RCPT TO:<(.*)>$", re.MULTILINE)
_SENDER = re.compile(r"^From: (.*)$", re.MULTILINE)


@dataclass(frozen=True)
class Envelope:
    """How a mail is sent: through which server or program, from whom, to which bare addresses."""

    server: str
    sender: str
    recipients: tuple[str, ...]


def check(repository: Repository) -> None:
    """Raise UserError if git cannot send mails here."""
    program = Path(repository.git("--exec-path").strip()) / "git-send-email"
    # Debian's git-email only recommends the module that it cannot do without.
    if not program.exists() or not _has(MODULE):
        raise UserError(
            "git send-email is not installed: install it (Debian: apt install git-email libmailtools-perl)"
        )


def preview(repository: Repository, files: Sequence[Path]) -> list[Envelope]:
    """What git send-email would do with each file; nothing is sent, no server is asked.

    Raises GitError if it refuses one.
    """
    words = ["send-email", "--dry-run", *OPTIONS, *map(str, files)]
    code, out, err = repository.as_user(*words)
    blocks = out.split(_BLOCK)[1:]
    if code != 0 or len(blocks) != len(files):
        raise GitError(f"git send-email would not send this: {complaint(err or out)}")
    return [_envelope(block) for block in blocks]


def send(repository: Repository, file: Path) -> None:
    """Send one mail. Raises GitError, with what the server said, if it was not taken."""
    words = ["send-email", "--quiet", *OPTIONS, str(file)]
    code, out, err = repository.as_user(*words)
    if code != 0:
        raise GitError(complaint(err or out))


def complaint(said: str) -> str:
    """The line of a program that says why it failed; what is of the program alone is cut."""
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    last = lines[-1] if lines else "it said nothing"
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
