# SPDX-License-Identifier: GPL-2.0
"""``series --pull-requests``: a pull request for each subsystem, shown, and with ``--open`` opened."""

from __future__ import annotations

import argparse
import sys
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import replace

from hotcocci.deliver import forge, outbox, pulls, token
from hotcocci.deliver.forges.kind import OPEN
from hotcocci.deliver.gitrepo import Repository
from hotcocci.deliver.pulls import Route, Step
from hotcocci.deliver.remote import Remote, look
from hotcocci.errors import UserError


def add(parser: argparse.ArgumentParser) -> None:
    """The options that are about pull requests."""
    group = parser.add_argument_group(
        "pull requests",
        "On GitHub, GitLab (merge requests), Gitea and Forgejo. Who you are there is taken from GH_TOKEN or GITHUB_TOKEN "
        "(GH_ENTERPRISE_TOKEN on a host of your own), GITLAB_TOKEN (which is for gitlab.com, or for the host that GITLAB_HOST names), "
        "GITEA_TOKEN or FORGEJO_TOKEN, or from git's credential helper.",
    )
    group.add_argument(
        "--pull-requests",
        metavar="REMOTE",
        help="with --branch, show what would be pushed to this remote of the repository, "
        "and the pull requests for it: one for each subsystem",
    )
    group.add_argument(
        "--open",
        action="store_true",
        help="do it: push and open them, or bring those of an earlier run up to date",
    )
    group.add_argument(
        "--into",
        metavar="BRANCH",
        help="the branch that they are for (default: the default one of the remote)",
    )
    group.add_argument(
        "--fork",
        metavar="REMOTE",
        help="push to this remote instead, which is your fork, whatever its name",
    )
    group.add_argument(
        "--forge",
        metavar="URL",
        help="the web page of the repository that takes them, where the remote's address does not tell",
    )


def check(options: argparse.Namespace) -> None:
    """Raise UserError for options that do not fit together."""
    if options.pull_requests is None:
        for flag in ("open", "into", "fork", "forge"):
            if getattr(options, flag):
                raise UserError(
                    f"--{flag} is about pull requests: name a remote by --pull-requests"
                )
        return
    if options.branch is None:
        raise UserError("--pull-requests goes on with a branch: name it by --branch")
    if options.send:
        raise UserError(
            "--send and --pull-requests are two ways to hand a series over: choose one"
        )


def deliver(
    repository: Repository,
    base: str,
    commits: Sequence[str],
    subsystems: Mapping[str, str],
    options: argparse.Namespace,
) -> None:
    """Show what would be pushed and opened, or do it.

    Raises UserError if the remote or the forge does not answer or refuses; what was done by then is
    remembered.
    """
    if options.open:
        outbox.check_signed(repository, commits, options.base, options.branch)
    remote = look(repository, options.pull_requests)
    target = look(repository, options.fork) if options.fork else remote
    into = options.into or remote.head
    _check_base(repository, base, remote, into, options.base)
    route = _route(repository, remote, target, into, options.forge, options.open)
    several, left_out = pulls.wanted(
        repository, base, options.branch, commits, subsystems
    )
    known = pulls.read(repository, options.branch)
    planned = pulls.steps(route, known, several, target.tips)
    for line in left_out:
        print(f"left out: {line}", file=sys.stderr)
    for step in planned:
        if not (options.open and step.to_do):
            branch = f"{target.name}/{step.wanted.branch}"
            _show(step, branch, f"{route.to.name}:{into}")
            continue
        pull, told = pulls.do(repository, route, target, step)
        pulls.remember(repository, options.branch, told)
        done = "opened" if step.pull is None else "brought up to date"
        print(f"{done}: {pull.url} {step.wanted.title}", flush=True)
    _gone(several, known, route)
    waiting = sum(step.to_do for step in planned)
    if waiting and not options.open:
        print(
            f"{waiting} to do: nothing was pushed or opened, --open does it",
            file=sys.stderr,
        )


def _show(step: Step, branch: str, into: str) -> None:
    one = step.wanted
    at = f"{step.pull.url} " if step.pull else ""
    if step.blocked:
        print(f"left alone: {at}{one.title}: {step.blocked}")
    elif step.pull is None:
        print(f"would open: {one.title}\n    {branch} -> {into}\n")
        print(textwrap.indent(one.body, "    ") + "\n")
    elif step.to_do:
        whats = ["push"] if step.push else []
        whats += ["change the text"] if step.rewrite else []
        print(f"would {' and '.join(whats)}: {at}{one.title}")
    else:
        print(f"up to date: {at}{one.title}")


def _gone(
    several: Sequence[pulls.Wanted], known: Sequence[pulls.Known], route: Route
) -> None:
    """Name the open pull requests that the series has nothing for any more."""
    to, branches = route.to, {one.branch for one in several}
    for one in known:
        if one.where == route.place and one.number:
            if one.branch not in branches:
                pull = to.kind.get(to, one.number)
                if pull.state == OPEN:
                    print(
                        f"{pull.url}: the series has no patch for it any more: close it by hand, or take the patch back",
                        file=sys.stderr,
                    )


def _check_base(
    repository: Repository,
    base: str,
    remote: Remote,
    into: str,
    revision: str,
) -> None:
    """Raise UserError if a pull request would bring along what is not of the series."""
    tip = remote.tips.get(into)
    if tip is None:
        raise UserError(
            f"the remote {remote.name} has no branch {into or 'of its own'}: name one by --into"
        )
    if repository.ask("cat-file", "-e", f"{tip}^{{commit}}")[0] != 0:
        raise UserError(
            f"{into} of {remote.name} is at {tip[:12]}, which is not here: run 'git fetch {remote.name}' first"
        )
    if repository.ask("merge-base", "--is-ancestor", base, tip)[0] != 0:
        raise UserError(
            f"{revision} is not in {into} of {remote.name}: make the series on a commit that is, by --base"
        )


def _route(
    repository: Repository,
    remote: Remote,
    target: Remote,
    into: str,
    page: str | None,
    opening: bool,
) -> Route:
    """The forge, asked as the user, and what is pushed to there.

    Raises UserError if one of them is not known.
    """
    where = forge.place(page or remote.url)
    if where is None:
        what = "--forge" if page else f"the remote {remote.name}"
        raise UserError(
            f"{what} names no repository of a forge: give its page, https://HOST/OWNER/NAME, by --forge"
        )
    to = forge.find(where)
    to = replace(to, auth=token.header(repository, to))
    if opening and not to.auth:
        raise UserError(
            f"nothing is known of who you are on {to.web}: give a token, see --help"
        )
    if target is remote:
        return Route(to, into, to.name)
    fork = forge.place(target.url)
    if fork is None:
        raise UserError(
            f"the remote {target.name} names no repository of a forge, so that no one knows whose fork it is: "
            "give it an address with HOST/OWNER/NAME"
        )
    return Route(to, into, forge.name_at(to, fork))
