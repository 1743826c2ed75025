# SPDX-License-Identifier: GPL-2.0
"""``series --send``: the mails of a series leave, after a question that a person answers."""

from __future__ import annotations

import argparse
import sys
import tempfile
import textwrap
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from hotcocci.cli.options import positive
from hotcocci.deliver import mails, outbox, send_email, sent
from hotcocci.deliver.gitrepo import GitError, Repository
from hotcocci.deliver.outbox import Outgoing
from hotcocci.deliver.recipients import Recipients
from hotcocci.deliver.send_email import Envelope
from hotcocci.errors import UserError
from hotcocci.plural import count

WIDTH = 100
FIRST = "nothing was sent"


def add(parser: argparse.ArgumentParser) -> None:
    """The options that are about sending."""
    group = parser.add_argument_group("sending")
    group.add_argument(
        "--send",
        action="store_true",
        help="with --branch, send the mails by 'git send-email', after a question; "
        "what was sent is remembered, a second run sends the rest",
    )
    group.add_argument(
        "--reroll-count",
        type=positive,
        default=1,
        metavar="N",
        help="the mails are version N of the series: [PATCH vN]",
    )
    group.add_argument(
        "--not-to",
        action="append",
        default=[],
        metavar="ADDRESS",
        help="leave this address out of the mails; may be repeated",
    )


def check(options: argparse.Namespace, repository: Repository) -> None:
    """Raise UserError for what can be known before the work: who could not answer, say."""
    if not options.send:
        return
    if options.branch is None:
        raise UserError(
            "--send remembers what was sent of a branch: name it by --branch"
        )
    if options.b4:
        raise UserError("--b4 prepares a branch for 'b4 send': leave --send away")
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        raise UserError(
            "--send asks before anything leaves, and here is no terminal to answer on: run it in one"
        )
    send_email.check(repository)


def listed(files: Sequence[Path]) -> list[str]:
    """What ``--send`` would send, for a run that only writes the mails."""
    lines = []
    for file in files:
        lines += _mail(outbox.subject(file), outbox.addresses(file))
    everyone = {address for file in files for address in outbox.addresses(file)}
    lines.append(
        f"{_mails(len(files))} to {_addresses(len(everyone))}: nothing leaves without --send"
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
    """Ask, then send what was not sent yet of the mails of some commits.

    ``text`` is the cover letter, ``revision`` what the user calls the base. Raises UserError if a mail cannot be sent, which says what was.
    """
    outbox.check_signed(repository, commits, revision, branch)
    with sent.alone(repository), tempfile.TemporaryDirectory() as folder:
        files = mails.write(
            repository, commits, base, text, everyone, Path(folder) / "mails", version
        )
        outgoing = outbox.threaded(repository, files)
        known = sent.going_on(
            sent.read(repository, branch), version, [one.id for one in outgoing]
        )
        rest = [one for one in outgoing if one.id not in known.sent]
        if not rest:
            _tell(
                f"all {_mails(len(outgoing))} were sent before: "
                f"a new version is sent by --reroll-count {version + 1}"
            )
            return
        envelopes = send_email.preview(repository, [one.file for one in rest])
        if not _confirmed(rest, envelopes, len(outgoing)):
            raise UserError(f"{FIRST}: the answer was not {len(rest)}")
        for one in rest:
            try:
                send_email.send(repository, one.file)
            except GitError as error:
                raise UserError(_stopped(one, outgoing, error)) from error
            known = replace(known, sent=(*known.sent, one.id))
            sent.write(repository, branch, known)
            _tell(f"sent: {one.subject}")


def _confirmed(
    rest: Sequence[Outgoing], envelopes: Sequence[Envelope], whole: int
) -> bool:
    """Show what would leave, and whether the user answers with the number of mails."""
    for one, envelope in zip(rest, envelopes, strict=True):
        planned = outbox.addresses(one.file)
        for line in _mail(one.subject, planned):
            _tell(line)
        others = [a for a in envelope.recipients if a not in planned]
        if others:
            _tell(
                f"    and, by your settings of git send-email, to {', '.join(others)}"
            )
    addresses = {address for envelope in envelopes for address in envelope.recipients}
    servers = " and ".join(dict.fromkeys(e.server for e in envelopes))
    senders = " and ".join(dict.fromkeys(e.sender for e in envelopes))
    before = f", {whole - len(rest)} were sent before" if len(rest) < whole else ""
    _tell(
        f"{_mails(len(rest))} to {_addresses(len(addresses))} through {servers}, from {senders}{before}"
    )
    question = f"Type {len(rest)} to send, anything else to send nothing: "
    print(question, end="", file=sys.stderr, flush=True)
    return sys.stdin.readline().strip() == str(len(rest))


def _stopped(one: Outgoing, outgoing: Sequence[Outgoing], why: GitError) -> str:
    """One line: which mail was refused and why, which were sent, and how to go on."""
    before = next(n for n, other in enumerate(outgoing) if other.id == one.id)
    told = f"the {_mails(before)} before it went out" if before else FIRST
    return (
        f"{one.subject} was not sent ({why}); {told}: put that right, or leave an address out by --not-to, "
        "and run the command again, which sends the rest"
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
