# SPDX-License-Identifier: GPL-2.0
"""``series --pull-requests``: show, open and update pull requests, one per subsystem."""

from __future__ import annotations

import argparse
import textwrap
from collections.abc import Mapping, Sequence

from hotcocci.cli.terminal import say
from hotcocci.deliver import forge, pulls
from hotcocci.deliver.forge import OPEN
from hotcocci.deliver.gitrepo import Repository
from hotcocci.deliver.pulls import Remote, Route, Step, look
from hotcocci.errors import UserError
from hotcocci.names import count


def add(parser: argparse.ArgumentParser) -> None:
    """Add the options for pull requests."""
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


def check(options: argparse.Namespace) -> None:
    """Raise UserError for options of pull requests without these, or these without a branch."""
    if options.pull_requests is None:
        for flag in ("open", "into", "fork", "forge"):
            if getattr(options, flag):
                raise UserError(
                    f"--{flag} needs --pull-requests: name a remote with it"
                )
        return
    if options.branch is None:
        raise UserError("--pull-requests needs a branch: name it with --branch")


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
        pulls.check_signed(repository, commits, options.base, options.branch)
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
