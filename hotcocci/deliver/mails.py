# SPDX-License-Identifier: GPL-2.0
"""Write a series as git format-patch mails, with a cover letter and recipients."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Sequence
from email import message_from_bytes, policy
from email.header import Header
from email.utils import getaddresses
from pathlib import Path

from hotcocci.deliver.gitrepo import Repository, read_commit
from hotcocci.deliver.maintainers import Recipients, header, joined
from hotcocci.deliver.series import Made
from hotcocci.errors import UserError
from hotcocci.names import count, wrapped

SUBJECT = "*** SUBJECT HERE ***"
BLURB = "*** BLURB HERE ***"
# Columns of a list of recipients.
LISTED = 100
# Mails must not depend on the user's configuration: threading adds random Message-IDs, a signature
# is git's version, and nobody has signed off yet.
OPTIONS = (
    *("--no-thread", "--no-signature", "--no-signoff", "--no-attach"),
    *("--no-to", "--no-cc", "--no-full-index", "--no-binary", "--no-notes"),
    *("--no-add-header", "--encode-email-headers", "--no-ext-diff", "--no-textconv"),
    *("--subject-prefix=PATCH", "--no-from"),
)


def mail(repository: Repository, sha: str) -> str:
    """Return one commit as a mail without a series."""
    alone = ("--stdout", "--no-base", "--no-cover-letter", "--no-numbered")
    return repository.git("format-patch", "-1", *alone, *OPTIONS, sha)


def check_folder(folder: Path, repository: Repository) -> None:
    """Raise UserError if the directory is in the kernel tree or not empty."""
    if folder.resolve().is_relative_to(repository.root.resolve()):
        raise UserError(
            f"{folder} is inside the kernel tree, which must not change: name another directory with --output"
        )
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise UserError(
            f"{folder} is not an empty directory: name another one with --output"
        )


def write(
    repository: Repository,
    made: Made,
    text: str,
    everyone: Sequence[Recipients],
    version: int,
    folder: Path,
) -> list[Path]:
    """Write the mails of a series, all or none, to a new directory; returns them, cover letter first.

    ``text`` is the cover letter: a subject, an empty line, a body. It goes to all recipients, which are per
    commit. ``version`` is shown from 2 on, as in [PATCH v2].
    """
    subject, _, body = text.partition("\n")
    # git runs in the repository, not in the current directory.
    folder = folder.resolve()
    folder.parent.mkdir(parents=True, exist_ok=True)
    staging = Path(tempfile.mkdtemp(prefix=f".{folder.name}.", dir=folder.parent))
    try:
        repository.git(
            *("format-patch", "--cover-letter", "--cover-from-description=none"),
            *("--numbered", f"--base={made.base}", *OPTIONS),
            f"--output-directory={staging}",
            *([f"--reroll-count={version}"] if version > 1 else []),
            f"{made.base}..{made.tip}",
            # Date of the cover letter, else the current time.
            extra={"GIT_COMMITTER_DATE": read_commit(repository, made.tip).committed},
        )
        files = sorted(staging.iterdir())
        whole = joined(list(everyone))
        for file, own in zip(files, [whole, *everyone], strict=True):
            head, found, rest = file.read_bytes().partition(b"\n\n")
            if file == files[0]:
                coded = (
                    subject if subject.isascii() else Header(subject, "utf-8").encode()
                )
                head = head.replace(SUBJECT.encode(), coded.encode())
                rest = rest.replace(BLURB.encode(), body.strip().encode(), 1)
            file.write_bytes(head + _recipients(own).encode() + found + rest)
        staging.chmod(0o755)
        if folder.exists():
            folder.rmdir()
        os.replace(staging, folder)
    except BaseException:
        shutil.rmtree(staging, ignore_errors=True)
        raise
    return [folder / file.name for file in files]


def _recipients(own: Recipients) -> str:
    """Return To: and Cc: headers, one address per line."""
    lines = ""
    for name, addresses in (("To", own.to), ("Cc", own.cc)):
        if addresses:
            lines += f"\n{name}: " + ",\n    ".join(map(header, addresses))
    return lines


def listed(files: Sequence[Path]) -> list[str]:
    """Return the subject and the recipients of each mail, and how many there are."""
    lines = []
    everyone: set[str] = set()
    for file in files:
        mail = message_from_bytes(file.read_bytes(), policy=policy.default)
        headers = [*mail.get_all("To", []), *mail.get_all("Cc", [])]
        addresses = [address for _, address in getaddresses(map(str, headers))]
        everyone.update(addresses)
        to = f"to {', '.join(addresses)}"
        lines += [str(mail["Subject"]), *wrapped(to, LISTED, "    ", "       ")]
    what = "address" if len(everyone) == 1 else "addresses"
    lines.append(f"{count(len(files), 'mail')} to {len(everyone)} {what}: not sent")
    return lines
