# SPDX-License-Identifier: GPL-2.0
"""How a series leaves: ``--send`` sends its mails after the user confirms, ``--pull-requests`` opens one per subsystem."""

from __future__ import annotations

import argparse
import sys
import tempfile
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from hotcocci.cli.options import positive
from hotcocci.cli.terminal import say
from hotcocci.deliver import forge, mails, outbox, pulls
from hotcocci.deliver.forge import OPEN
from hotcocci.deliver.gitrepo import (
    GitError,
    Repository,
    read_record,
    write_record,
)
from hotcocci.deliver.outbox import Envelope, Outgoing
from hotcocci.deliver.pulls import Remote, Route, Step, look
from hotcocci.errors import UserError
from hotcocci.names import count, wrapped

WIDTH = 100
FIRST = "nothing was sent"


def add(parser: argparse.ArgumentParser) -> None:
    """Add the options for sending, and for pull requests."""
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
    _add_pulls(parser)


def check(options: argparse.Namespace, repository: Repository) -> None:
    """Raise UserError if the series cannot leave: options conflict, or sending lacks a terminal or git send-email."""
    if options.send:
        _check_sending(options, repository)
    _check_pulls(options)


def _check_sending(options: argparse.Namespace, repository: Repository) -> None:
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


def send(thread: mails.Thread, branch: str, revision: str) -> None:
    """Ask, then send those mails of a series that were not sent yet.

    ``revision`` is the user's name for the base. Raises UserError if a mail cannot be sent; the error
    says how many were.
    """
    repository, version = thread.repository, thread.version
    outbox.check_signed(repository, thread.commits, revision, branch)
    with outbox.alone(repository), tempfile.TemporaryDirectory() as folder:
        files = mails.write(thread, Path(folder) / "mails")
        outgoing = outbox.threaded(repository, files)
        record = f"{outbox.REFS}/{branch}"
        before = read_record(repository, record, outbox.Sent)
        known = outbox.going_on(before, version, [one.id for one in outgoing])
        rest = [one for one in outgoing if one.id not in known.sent]
        if not rest:
            say(
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
            write_record(repository, record, known)
            say(f"sent: {one.subject}")


def _confirmed(
    rest: Sequence[Outgoing], envelopes: Sequence[Envelope], whole: int
) -> bool:
    """Show what would be sent; returns whether the user confirms with the number of mails."""
    for one, envelope in zip(rest, envelopes, strict=True):
        planned = outbox.addresses(one.file)
        for line in _mail(one.subject, planned):
            say(line)
        others = [a for a in envelope.recipients if a not in planned]
        if others:
            say(f"    also to {', '.join(others)} (git send-email configuration)")
    addresses = {address for envelope in envelopes for address in envelope.recipients}
    servers = " and ".join(dict.fromkeys(e.server for e in envelopes))
    senders = " and ".join(dict.fromkeys(e.sender for e in envelopes))
    before = f", {whole - len(rest)} already sent" if len(rest) < whole else ""
    say(
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
    to = f"to {', '.join(addresses)}"
    return [subject, *wrapped(to, WIDTH, "    ", "       ")]


def _mails(number: int) -> str:
    return count(number, "mail")


def _addresses(number: int) -> str:
    return "1 address" if number == 1 else f"{number} addresses"


def _add_pulls(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group(
        "pull requests",
        "For GitHub with gh, and for GitLab (merge requests) with glab: log in with 'gh auth login' or "
        "'glab auth login' first.",
    )
    group.add_argument(
        "--pull-requests",
        metavar="REMOTE",
        help="with --branch, show what would be pushed to this remote, and the pull requests, one per subsystem",
    )
    group.add_argument(
        "--open",
        action="store_true",
        help="push, then open the pull requests or update those of an earlier run",
    )
    group.add_argument(
        "--into",
        metavar="BRANCH",
        help="target branch of the pull requests (default: the remote's default branch)",
    )
    group.add_argument(
        "--fork",
        metavar="REMOTE",
        help="push to this remote, your fork, instead",
    )
    group.add_argument(
        "--forge",
        metavar="URL",
        help="web page of the target repository, if the remote's URL does not lead to it",
    )


def _check_pulls(options: argparse.Namespace) -> None:
    if options.pull_requests is None:
        for flag in ("open", "into", "fork", "forge"):
            if getattr(options, flag):
                raise UserError(
                    f"--{flag} needs --pull-requests: name a remote with it"
                )
        return
    if options.branch is None:
        raise UserError("--pull-requests needs a branch: name it with --branch")
    if options.send:
        raise UserError(
            "--send and --pull-requests cannot be used together: omit one of them"
        )


def open_pulls(
    repository: Repository,
    base: str,
    commits: Sequence[str],
    subsystems: Mapping[str, str],
    options: argparse.Namespace,
) -> None:
    """Show what would be pushed and opened or, with --open, do it.

    Raises UserError if the remote or the forge does not answer or refuses; what was done until then
    is recorded.
    """
    if options.open:
        outbox.check_signed(repository, commits, options.base, options.branch)
    remote = look(repository, options.pull_requests)
    target = look(repository, options.fork) if options.fork else remote
    into = options.into or remote.head
    _check_base(repository, base, remote, into, options.base)
    route = _route(remote, target, into, options.forge, options.open)
    several, left_out = pulls.wanted(
        repository, base, options.branch, commits, subsystems
    )
    known = pulls.read(repository, options.branch)
    tips = target.tips
    planned = [
        pulls.step(route, known, one, tips.get(one.branch, "")) for one in several
    ]
    say(*(f"no pull request for {line}" for line in left_out))
    for step in planned:
        if not (options.open and step.to_do):
            branch = f"{target.name}/{step.wanted.branch}"
            _show(step, branch, f"{route.to.name}:{into}")
            continue
        pull, record = pulls.do(repository, route, target, step)
        pulls.remember(repository, options.branch, record)
        done = "opened" if step.pull is None else "updated"
        print(f"{done}: {pull.url} {step.wanted.title}", flush=True)
    _gone(several, known, route)
    waiting = sum(step.to_do for step in planned)
    if waiting and not options.open:
        say(
            f"{count(waiting, 'pull request')} to open or update: nothing was pushed, use --open to do so"
        )


def _show(step: Step, branch: str, into: str) -> None:
    one = step.wanted
    at = f"{step.pull.url} " if step.pull else ""
    if step.blocked:
        print(f"skipped: {at}{one.title}: {step.blocked}")
    elif step.pull is None:
        print(f"would open: {one.title}\n    {branch} -> {into}\n")
        print(textwrap.indent(one.body, "    ") + "\n")
    elif step.to_do:
        whats = ["push"] if step.push else []
        whats += ["update the text"] if step.rewrite else []
        print(f"would {' and '.join(whats)}: {at}{one.title}")
    else:
        print(f"up to date: {at}{one.title}")


def _gone(
    several: Sequence[pulls.Wanted], known: Sequence[pulls.Known], route: Route
) -> None:
    """Report open pull requests that the series no longer has a patch for."""
    to, branches = route.to, {one.branch for one in several}
    for one in known:
        if one.where == route.place and one.number:
            if one.branch not in branches:
                pull = to.get(one.number)
                if pull.state == OPEN:
                    say(
                        f"{pull.url}: the series no longer has a patch for it: close it, or restore the patch"
                    )


def _check_base(
    repository: Repository,
    base: str,
    remote: Remote,
    into: str,
    revision: str,
) -> None:
    """Raise UserError if a pull request would include commits outside the series."""
    tip = remote.tips.get(into)
    if tip is None:
        raise UserError(
            f"the remote {remote.name} has no {f'branch {into}' if into else 'default branch'}: name one with --into"
        )
    if repository.ask("cat-file", "-e", f"{tip}^{{commit}}")[0] != 0:
        raise UserError(
            f"{into} of {remote.name} is at {tip[:12]}, which this repository does not have: run 'git fetch {remote.name}' first"
        )
    if repository.ask("merge-base", "--is-ancestor", base, tip)[0] != 0:
        raise UserError(
            f"{revision} is not in {into} of {remote.name}: use --base to name a commit that is"
        )


def _route(
    remote: Remote,
    target: Remote,
    into: str,
    page: str | None,
    opening: bool,
) -> Route:
    """Return the target forge and the repository to push to.

    Raises UserError if the forge or the fork cannot be determined, or without a login.
    """
    where = forge.place(page or remote.url)
    if where is None:
        what = "--forge" if page else f"the remote {remote.name}"
        raise UserError(
            f"{what} does not name a repository on a forge: give its page, https://HOST/OWNER/NAME, with --forge"
        )
    to = forge.find(where)
    if opening:
        to.check_login()
    if target is remote:
        return Route(to, into, to.name)
    fork = forge.place(target.url)
    if fork is None:
        raise UserError(
            f"the URL of the remote {target.name} does not name a repository on a forge: "
            "use one with HOST/OWNER/NAME"
        )
    return Route(to, into, to.name_at(fork))
