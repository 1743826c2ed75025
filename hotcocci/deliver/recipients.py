# SPDX-License-Identifier: GPL-2.0
"""Who is to get a patch, as the tree's own scripts/get_maintainer.pl says."""

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
# As b4 asks. What git's history says of who touched a file last changes from day to day, and
# those people did not ask for mail.
OPTIONS = ("--nogit", "--nogit-fallback", "--nogit-chief-penguins", "--norolestats")
MAINTAINERS = ("--nol", "--nor")
OTHERS = ("--nom",)


@dataclass(frozen=True)
class Recipients:
    """``to``: maintainers, or the lists where there are none; ``cc``: reviewers and lists."""

    to: tuple[str, ...] = ()
    cc: tuple[str, ...] = ()


def recipients(tree: Path, patch: str) -> Recipients:
    """The recipients of a patch, given as git format-patch prints it.

    Raises UserError if get_maintainer.pl cannot be run.
    """
    with tempfile.TemporaryDirectory(prefix="hotcocci-recipients-") as folder:
        file = Path(folder) / "patch"
        file.write_text(patch, encoding="utf-8")
        to = _ask(tree, file, MAINTAINERS)
        cc = tuple(address for address in _ask(tree, file, OTHERS) if address not in to)
    return Recipients(to, cc) if to else Recipients(cc)


def joined(several: list[Recipients]) -> Recipients:
    """Everyone who gets one of some patches."""
    to = tuple(dict.fromkeys(a for one in several for a in one.to))
    cc = dict.fromkeys(a for one in several for a in one.cc)
    return Recipients(to, tuple(address for address in cc if address not in to))


def without(own: Recipients, addresses: Sequence[str]) -> Recipients:
    """All but some addresses, whatever names and letter case they are given with."""
    gone = {bare(address).lower() for address in addresses}
    to, cc = (
        tuple(address for address in several if bare(address).lower() not in gone)
        for several in (own.to, own.cc)
    )
    return Recipients(to, cc) if to else Recipients(cc)


def bare(address: str) -> str:
    """An address without the name of its owner."""
    return parseaddr(address)[1]


def header(address: str) -> str:
    """An address as it stands in the header of a mail, which is ASCII."""
    name, mail = parseaddr(address)
    return formataddr((name, mail))


def _ask(tree: Path, patch: Path, what: tuple[str, ...]) -> tuple[str, ...]:
    argv = ["perl", str(tree / SCRIPT), *OPTIONS, *what, str(patch)]
    try:
        # People of one rank come in the order of a hash, which is another at each run.
        outcome = run(argv, tree, TIMEOUT, extra={"PERL_HASH_SEED": "0"})
    except MissingProgram as error:
        raise UserError(
            "perl is not installed: install it (Debian: apt install perl)"
        ) from error
    if outcome.status != 0:
        said = (readable(outcome.err).strip() or "it said nothing").splitlines()
        raise UserError(f"{SCRIPT} of the tree failed ({said[0]}): put that right")
    lines = map(str.strip, readable(outcome.out).splitlines())
    return tuple(dict.fromkeys(line for line in lines if "@" in line))
