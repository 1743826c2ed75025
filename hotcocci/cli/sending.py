# SPDX-License-Identifier: GPL-2.0
"""``series --send``: send the mails of a series after the user confirms."""

from __future__ import annotations

import argparse
import sys
import tempfile
import textwrap
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from hotcocci.cli.options import positive
from hotcocci.deliver import mails, outbox
from hotcocci.deliver.gitrepo import GitError, Repository
from hotcocci.deliver.maintainers import Recipients
from hotcocci.deliver.outbox import Envelope, Outgoing
from hotcocci.errors import UserError
from hotcocci.plural import count

WIDTH = 100
FIRST = "nothing was sent"


def add(parser: argparse.ArgumentParser) -> None:
    """Add the options for sending."""
    group = parser.add_argument_group("sending")
    group.add_argument(
        "--send",
        action="store_true",
        help="with --branch, send the mails with 'git send-email' after asking; "
        "if interrupted, run again to send the rest",
    )
    group.add_argument(
        "--reroll-count",
        type=positive,
        default=1,
        metavar="N",
        help="version of the series: [PATCH vN]",
    )
    group.add_argument(
        "--not-to",
        action="append",
        default=[],
        metavar="ADDRESS",
        help="do not send to this address; may be repeated",
    )


def check(options: argparse.Namespace, repository: Repository) -> None:
    """Raise UserError if sending cannot work: options conflict, no terminal, no git send-email."""
    if not options.send:
        return
    if options.branch is None:
        raise UserError("--send records what was sent by branch: name it with --branch")
    if options.b4:
        raise UserError("--b4 prepares a branch for 'b4 send': omit --send")
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        raise UserError(
            "--send asks before it sends, which needs a terminal: run it in one"
        )
    outbox.check_program(repository)


def listed(files: Sequence[Path]) -> list[str]:
    """Describe what ``--send`` would send, for a run that only writes the mails."""
    lines = []
    for file in files:
        lines += _mail(outbox.subject(file), outbox.addresses(file))
    everyone = {address for file in files for address in outbox.addresses(file)}
    lines.append(
        f"{_mails(len(files))} to {_addresses(len(everyone))}: not sent, use --send"
    )
    return lines


def send(
    repository: Repository,
    commits: Sequence[str],
    base: str,
    text: str,
    everyone: Sequence[Recipients],
    branch: str,
    version: int,
    revision: str,
) -> None:
    """Ask, then send those mails of a series that were not sent yet.

    ``text`` is the cover letter, ``revision`` the user's name for the base. Raises UserError if a
    mail cannot be sent; the error says how many were.
    """
    outbox.check_signed(repository, commits, revision, branch)
    with outbox.alone(repository), tempfile.TemporaryDirectory() as folder:
        files = mails.write(
            repository, commits, base, text, everyone, Path(folder) / "mails", version
        )
        outgoing = outbox.threaded(repository, files)
        known = outbox.going_on(
            outbox.read_sent(repository, branch), version, [one.id for one in outgoing]
        )
        rest = [one for one in outgoing if one.id not in known.sent]
        if not rest:
            _tell(
                f"nothing to send: {_mails(len(outgoing))} already sent; "
                f"use --reroll-count {version + 1} to send a new version"
            )
            return
        envelopes = outbox.preview(repository, [one.file for one in rest])
        if not _confirmed(rest, envelopes, len(outgoing)):
            raise UserError(f"{FIRST}: the answer was not {len(rest)}")
        for one in rest:
            try:
                outbox.send(repository, one.file)
            except GitError as error:
                raise UserError(_stopped(one, outgoing, error)) from error
            known = replace(known, sent=(*known.sent, one.id))
            outbox.write_sent(repository, branch, known)
            _tell(f"sent: {one.subject}")


def _confirmed(
    rest: Sequence[Outgoing], envelopes: Sequence[Envelope], whole: int
) -> bool:
    """Show what would be sent; returns whether the user confirms with the number of mails."""
    for one, envelope in zip(rest, envelopes, strict=True):
        planned = outbox.addresses(one.file)
        for line in _mail(one.subject, planned):
            _tell(line)
        others = [a for a in envelope.recipients if a not in planned]
        if others:
            _tell(f"    also to {', '.join(others)} (git send-email configuration)")
    addresses = {address for envelope in envelopes for address in envelope.recipients}
    servers = " and ".join(dict.fromkeys(e.server for e in envelopes))
    senders = " and ".join(dict.fromkeys(e.sender for e in envelopes))
    before = f", {whole - len(rest)} already sent" if len(rest) < whole else ""
    _tell(
        f"{_mails(len(rest))} to {_addresses(len(addresses))} via {servers}, from {senders}{before}"
    )
    question = f"Type {len(rest)} to send, anything else to cancel: "
    print(question, end="", file=sys.stderr, flush=True)
    return sys.stdin.readline().strip() == str(len(rest))


def _stopped(one: Outgoing, outgoing: Sequence[Outgoing], why: GitError) -> str:
    """Return an error: which mail was refused and why, which were sent, what to do."""
    before = next(n for n, other in enumerate(outgoing) if other.id == one.id)
    sent_before = f"{_mails(before)} sent before it" if before else FIRST
    return (
        f"{one.subject} was not sent ({why}); {sent_before}: fix this, or omit an address with --not-to, "
        "then run the command again to send the rest"
    )


def _mail(subject: str, addresses: Sequence[str]) -> list[str]:
    wrapped = textwrap.wrap(
        f"to {', '.join(addresses)}",
        WIDTH,
        initial_indent="    ",
        subsequent_indent="       ",
        break_long_words=False,
        break_on_hyphens=False,
    )
    return [subject, *wrapped]


def _mails(number: int) -> str:
    return count(number, "mail")


def _addresses(number: int) -> str:
    return "1 address" if number == 1 else f"{number} addresses"


def _tell(line: str) -> None:
    print(line, file=sys.stderr, flush=True)
