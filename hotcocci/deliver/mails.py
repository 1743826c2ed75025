# SPDX-License-Identifier: GPL-2.0
"""Write a series as git format-patch mails, with a cover letter and recipients."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from email import message_from_bytes, policy
from email.header import Header
from email.utils import getaddresses
from pathlib import Path
from typing import Any

from hotcocci.deliver.gitrepo import Repository, identity, read_commit
from hotcocci.deliver.maintainers import Recipients, header, joined
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


@dataclass(frozen=True)
class Thread:
    """The mails of a series of ``commits`` on ``base``.

    ``text`` is the cover letter: a subject, an empty line, a body. ``recipients`` are per commit; the
    cover letter goes to all of them. ``version`` is shown from 2 on, as in [PATCH v2].
    """

    repository: Repository
    base: str
    commits: Sequence[str]
    text: str
    recipients: Sequence[Recipients]
    version: int = 1


def write(thread: Thread, folder: Path) -> list[Path]:
    """Write the mails of a series, all or none, to a new directory; returns them, cover letter first."""
    repository, version = thread.repository, thread.version
    subject, _, body = thread.text.partition("\n")
    last, everyone = thread.commits[-1], thread.recipients
    # git runs in the repository, not in the current directory.
    folder = folder.resolve()
    folder.parent.mkdir(parents=True, exist_ok=True)
    staging = Path(tempfile.mkdtemp(prefix=f".{folder.name}.", dir=folder.parent))
    try:
        repository.git(
            *("format-patch", "--cover-letter", "--cover-from-description=none"),
            *("--numbered", f"--base={thread.base}", *OPTIONS),
            f"--output-directory={staging}",
            *([f"--reroll-count={version}"] if version > 1 else []),
            f"{thread.base}..{last}",
            # Date of the cover letter, else the current time.
            extra={"GIT_COMMITTER_DATE": read_commit(repository, last).committed},
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


STRATEGY = "branch-description"


def trailers(several: Sequence[Recipients]) -> str:
    """Return the trailers of a cover letter that tell b4 the recipients."""
    own = joined(list(several))
    lines = [f"To: {address}" for address in own.to]
    return "".join(f"{line}\n" for line in [*lines, *(f"Cc: {a}" for a in own.cc)])


def prepare_b4(repository: Repository, branch: str, base: str) -> None:
    """Configure a branch for b4; data that b4 added, such as the revision, is kept.

    Raises UserError if b4 tracks the branch with another strategy.
    """
    section = f"branch.{branch}"
    strategy = _get(repository, f"{section}.b4-prep-cover-strategy") or STRATEGY
    if strategy != STRATEGY:
        raise UserError(
            f"b4 tracks {branch} with cover strategy {strategy!r}: omit --b4, or name another branch"
        )
    known = _get(repository, f"{section}.b4-tracking")
    try:
        tracking: dict[str, Any]
        tracking = json.loads(known) if known else {"series": {"revision": 1}}
        series = tracking["series"]
        series.setdefault("change-id", change_id(repository, branch, base))
        series["base-branch"] = base
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise UserError(
            f"{section}.b4-tracking is invalid: remove it with 'git config --unset {section}.b4-tracking'"
        ) from error
    repository.git("config", "--local", f"{section}.b4-prep-cover-strategy", STRATEGY)
    text = json.dumps(tracking)
    repository.git("config", "--local", f"{section}.b4-tracking", text)


def change_id(repository: Repository, branch: str, base: str) -> str:
    """Return a b4 change-id: the day of the base, the branch, and a hash of base, branch and user."""
    commit = read_commit(repository, base)
    who = identity(repository, commit.committed)
    day = datetime.fromtimestamp(int(commit.committed.split()[0]), UTC)
    slug = re.sub(r"\W+", "-", branch).strip("-").lower()
    digest = hashlib.sha256(f"{base}\0{branch}\0{who.email}".encode()).hexdigest()
    return f"{day:%Y%m%d}-{slug}-{digest[:12]}"


def _get(repository: Repository, key: str) -> str:
    return repository.ask("config", "--local", "--get", key)[1].strip()
