# SPDX-License-Identifier: GPL-2.0
"""Ask the tree's own scripts/get_maintainer.pl for the recipients of a patch."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from email.utils import formataddr, parseaddr
from pathlib import Path

from hotcocci.errors import UserError
from hotcocci.tree.process import MissingProgram, run
from hotcocci.tree.source import readable

SCRIPT = "scripts/get_maintainer.pl"
TIMEOUT = 300.0
# The same options as b4's. Recipients from git history change from day to day, and those people
# did not ask for mail.
OPTIONS = ("--nogit", "--nogit-fallback", "--nogit-chief-penguins", "--norolestats")
MAINTAINERS = ("--nol", "--nor")
OTHERS = ("--nom",)


@dataclass(frozen=True)
class Recipients:
    """``to`` are maintainers, or reviewers and lists if there are none; ``cc`` reviewers and lists."""

    to: tuple[str, ...] = ()
    cc: tuple[str, ...] = ()


def recipients(tree: Path, patch: str) -> Recipients:
    """Return the recipients of a patch in git format-patch form.

    Raises UserError if get_maintainer.pl cannot be run.
    """
    with tempfile.TemporaryDirectory(prefix="hotcocci-recipients-") as folder:
        file = Path(folder) / "patch"
        file.write_text(patch, encoding="utf-8")
        to = _ask(tree, file, MAINTAINERS)
        cc = tuple(address for address in _ask(tree, file, OTHERS) if address not in to)
    return Recipients(to, cc) if to else Recipients(cc)


def joined(several: list[Recipients]) -> Recipients:
    """Return the union of recipients."""
    to = tuple(dict.fromkeys(a for one in several for a in one.to))
    cc = dict.fromkeys(a for one in several for a in one.cc)
    return Recipients(to, tuple(address for address in cc if address not in to))


def without(own: Recipients, addresses: Sequence[str]) -> Recipients:
    """Remove addresses; names and case do not matter."""
    removed = {bare(address).lower() for address in addresses}
    to, cc = (
        tuple(address for address in several if bare(address).lower() not in removed)
        for several in (own.to, own.cc)
    )
    return Recipients(to, cc) if to else Recipients(cc)


def bare(address: str) -> str:
    """Return an address without the display name."""
    return parseaddr(address)[1]


def header(address: str) -> str:
    """Return an address encoded for a mail header, in ASCII."""
    name, mail = parseaddr(address)
    return formataddr((name, mail))


def _ask(tree: Path, patch: Path, what: tuple[str, ...]) -> tuple[str, ...]:
    argv = ["perl", str(tree / SCRIPT), *OPTIONS, *what, str(patch)]
    try:
        # Perl's hash order is random, and so is that of people of one role.
        outcome = run(argv, tree, TIMEOUT, extra={"PERL_HASH_SEED": "0"})
    except MissingProgram as error:
        raise UserError(
            "perl is not installed: install it (Debian: apt install perl)"
        ) from error
    if outcome.status != 0:
        said = (readable(outcome.err).strip() or "no error message").splitlines()
        raise UserError(f"the tree's {SCRIPT} failed ({said[0]}): fix it")
    lines = map(str.strip, readable(outcome.out).splitlines())
    return tuple(dict.fromkeys(line for line in lines if "@" in line))
