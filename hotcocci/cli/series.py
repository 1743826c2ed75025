# SPDX-License-Identifier: GPL-2.0
"""``series``: make a branch or mails, with one commit per rule and subsystem; show, open and update pull requests."""

import argparse
import shlex
import sys
import textwrap
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from hotcocci.cli.options import (
    SEVERAL,
    add_analysis,
    add_gate,
    add_named,
    add_tier,
    settings_of,
)
from hotcocci.cli.reports import beside
from hotcocci.cli.terminal import say
from hotcocci.deliver import forge, pulls
from hotcocci.deliver.assemble import (
    Series,
    assemble,
    check_folder,
    listed,
    write_mails,
)
from hotcocci.deliver.choose import MOST, Patch, rewrite_id
from hotcocci.deliver.forge import OPEN
from hotcocci.deliver.gitrepo import Repository, identity, open_repository, resolve
from hotcocci.deliver.maintainers import without
from hotcocci.deliver.pulls import Remote, Route, Step, look
from hotcocci.deliver.series import Branch, find_branch, publish, rewrites_in
from hotcocci.errors import UserError
from hotcocci.findings import SAFE
from hotcocci.layout import PROGRAM
from hotcocci.names import count, quoted
from hotcocci.output import text
from hotcocci.output.text import below_hot, not_offered, with_wrong_comments
from hotcocci.pipeline.paths import check_outside
from hotcocci.pipeline.settings import Settings
from hotcocci.tree.kernel import find_tree

# Flags that the command in a cover letter repeats.
FLAGS = ("bench", "allow_uncompiled", "allow_no_gain", "allow_unproven")


def define(parser: argparse.ArgumentParser) -> None:
    """Add the description and options of the command to its parser."""
    parser.description = (
        "Make a branch in a kernel repository, or mails, with one commit per rule and subsystem: "
        f"the {MOST} best ones, all proven. The checkout is not touched. Exit code: 0, 2 error."
    )
    text = "only these directories and files of the tree (default: the whole tree)"
    add_named(parser, {"paths PATH": text}, nargs="*", type=str)
    text = "a clone of a kernel tree (default: the current directory)"
    add_named(parser, {"--tree DIR": text}, default=Path("."))
    text = "base commit of the series (default: %(default)s)"
    add_named(parser, {"--base REV": text}, default="HEAD")
    text = "create or update this branch; commits edited or dropped there stay so"
    add_named(parser, {"--branch NAME": text})
    text = "leave out what this branch, made by this command, has: for a further thread; may be repeated"
    add_named(parser, {"--after NAME": text}, **SEVERAL)
    text = "write 'git format-patch' mails to this new directory"
    add_named(parser, {"--output DIR": text})
    text = "with --output, version of the series: [PATCH vN]"
    add_named(parser, {"--reroll-count N": text}, default=1)
    text = "leave this address out of the recipients; may be repeated"
    add_named(parser, {"--not-to ADDRESS": text}, **SEVERAL)
    add_analysis(parser)
    add_tier(parser, SAFE, "take rewrites up to this tier (default: %(default)s)")
    parser.set_defaults(prove=True)
    add_gate(parser)
    _add_pulls(parser)


def run(options: argparse.Namespace) -> int:
    """Make the series; returns the exit code."""
    if options.branch is None and options.output is None:
        raise UserError("name a branch with --branch or a directory with --output")
    settings = settings_of(options)
    tree = find_tree(options.tree)
    repository = open_repository(tree.root)
    check_outside(options.cache_dir, tree)
    _check_pulls(options)
    if options.output is not None:
        check_folder(options.output, repository)
    base = resolve(repository, options.base)
    # Before minutes of work, not after.
    identity(repository, "")
    branch = Branch("")
    if options.branch is not None:
        branch = find_branch(repository, options.branch, base)
    elsewhere = rewrites_in(repository, options.after)
    branch = replace(branch, settled=branch.settled | elsewhere)
    paths = _inside(options.paths, tree.root)
    with settings.observer.progress("series"):
        series = assemble(repository, options.base, base, paths, branch, settings)
    made = series.made
    for subject in made.guessed:
        settings.observer.warn(
            f"the prefix of this subject is a guess from the path, as the clone has no history of its files: {subject}"
        )
    words = _command(settings, base, paths)
    name = options.branch or "NAME"
    description = series.description(shlex.join(words(name, options.after)))
    everyone = [without(own, options.not_to) for own in series.recipients]
    if options.branch is not None and (made.commits or branch.tip):
        description = publish(repository, branch, made, description)
    written: list[Path] = []
    if options.output is not None and made.commits:
        version, folder = options.reroll_count, options.output
        written = write_mails(repository, made, description, everyone, version, folder)
    where = [f"in branch {branch.name}"] if options.branch is not None else []
    where += [f"in {options.output}"] if options.output is not None else []
    following = words(f"{name}-next", [*options.after, name])
    report(series, branch, settings, where, options.paths == [], shlex.join(following))
    say(*beside(tree.root, paths or ["."], "which the series does not contain"))
    if options.pull_requests is not None and made.commits:
        subsystems = series.subsystems(repository)
        _open_pulls(repository, base, made.commits, subsystems, options)
    elif written:
        say(*listed(written))
    return 0


def _inside(paths: Sequence[str], root: Path) -> list[str]:
    """Return paths, relative to here or to the tree's root, relative to that root.

    Raises UserError for a path outside the tree.
    """
    inside = []
    for path in paths:
        here = Path(path).resolve()
        where = here if here.is_relative_to(root) else (root / path).resolve()
        if not where.is_relative_to(root):
            raise UserError(
                f"{path} is not in {root}: name directories and files of the tree"
            )
        inside.append(str(where.relative_to(root)))
    return inside or ["."]


def _command(
    settings: Settings, base: str, paths: Sequence[str]
) -> Callable[[str, Sequence[str]], list[str]]:
    """Return the command line that reproduces the series on any machine, for a branch after others."""
    more = [word for code in settings.rules for word in ("--rule", code)]
    usual = Settings()
    for name in ("api", "min_run", "tier", "profile", "hot"):
        value = getattr(settings, name)
        if value != getattr(usual, name):
            said = value.name if isinstance(value, Path) else value
            said = f"{said:g}" if isinstance(said, float) else str(said)
            more += [f"--{name.replace('_', '-')}", said]
    more += [word for name in settings.extra_targets for word in ("--target", name)]
    more += ["--show=cold"] * settings.churn
    more += [f"--{flag.replace('_', '-')}" for flag in FLAGS if getattr(settings, flag)]
    more += [path for path in paths if path != "."]

    def words(branch: str, after: Sequence[str]) -> list[str]:
        own = [PROGRAM, "series", "--tree", ".", "--base", base, "--branch", branch]
        return [*own, *(word for name in after for word in ("--after", name)), *more]

    return words


def report(
    series: Series,
    branch: Branch,
    settings: Settings,
    where: Sequence[str],
    whole: bool,
    following: str,
) -> None:
    """Print the commits and, on standard error, what was left out and why.

    ``where`` names the branch and the directory, ``whole`` is whether the whole tree was analysed.
    ``following`` is the command that makes the next thread of patches.
    """
    analysis, choice, made = series.analysis, series.choice, series.made
    gated = choice.gated
    for letter in series.letters:
        print(f"{letter.sha[:12]} {letter.subject}")
    sys.stdout.flush()
    lines = [line for finding in gated.refused for line in text.refused(finding)]
    lines += [text.skipped_line(skip) for skip in analysis.skipped]
    for skips, what in (
        (gated.held, "left out, as it could not be compiled"),
        (gated.unproven, "left out"),
        (gated.uncompiled, "included without compiling it"),
    ):
        lines += [text.skipped_line(skip, quoted, what) for skip in skips]
    lines += [
        f"left out, as its own table shows no gain: {_named(patch)}"
        for patch in choice.idle
    ]
    lines += [
        f"{quoted(f.file)}:{f.line}: left for a later series: {f.rule} in {f.function}(), which another patch changes"
        for f in choice.shared
    ]
    lines += [f"left out, as it conflicts with the branch: {c}" for c in made.conflicts]
    lines += [f"already in the base: {subject}" for subject in branch.upstream]
    lines += [f"no longer needed on this base: {subject}" for subject in made.taken]
    lines += [
        f"removed from the branch, as this base and these options give no such patch: {subject}"
        for subject in made.gone
    ]
    lines += [
        f"{letter.subject}: {complaint}"
        for letter in series.letters
        for complaint in letter.complaints
    ]
    lines += with_wrong_comments(analysis.filtered, whole)
    hidden = sum(r.finding.tier not in settings.tiers for r in analysis.rewrites)
    if hidden:
        lines.append(
            f"{count(hidden, 'rewrite')} omitted by tier: --tier adds them to the series"
        )
    lines += not_offered(analysis.findings)
    lines += below_hot([rewrite.finding for rewrite in analysis.rewrites], settings)
    if gated.held:
        lines.append(
            "use --allow-uncompiled to include files that could not be compiled"
        )
    if gated.unproven:
        lines.append("use --allow-unproven to include files that are not proven")
    # A commit that upstream took also disappears, but its rewrite is not found any more.
    dropped = sum(
        rewrite_id(analysis.texts[rewrite.finding.file], rewrite) in branch.dropped
        for rewrite in analysis.rewrites
    )
    if dropped:
        lines.append(
            f"{count(dropped, 'rewrite')} dropped by you earlier, still left out"
        )
    if choice.later:
        patches = [_named(patch) for patch in choice.later]
        lines += [f"left for a further thread: {name}" for name in patches]
        lines.append(f"to make the next {min(MOST, len(patches))}: {following}")
    total = (
        count(len(made.commits), "patch")
        if len(made.commits) == 1
        else f"{len(made.commits)} patches"
    )
    found = f" {' and '.join(where)}" if made.commits else ": nothing written"
    lines.append(f"{total} on {made.base[:12]}{found}")
    say(*lines)


def _named(patch: Patch) -> str:
    files = ", ".join(part.file for part in patch.parts)
    return f"{patch.subsystem} ({patch.rule}): {files}"


def _add_pulls(parser: argparse.ArgumentParser) -> None:
    """Add the options for pull requests."""
    group = parser.add_argument_group(
        "pull requests",
        "For GitHub with gh, and for GitLab (merge requests) with glab: log in with 'gh auth login' or "
        "'glab auth login' first.",
    )
    add_named(
        group,
        {
            "--pull-requests REMOTE": "with --branch, show what would be pushed to this remote, and the pull requests, "
            "one per subsystem",
            "--open": "push, then open the pull requests or update those of an earlier run",
            "--into BRANCH": "target branch of the pull requests (default: the remote's default branch)",
            "--fork REMOTE": "push to this remote, your fork, instead",
            "--forge URL": "web page of the target repository, if the remote's URL does not lead to it",
        },
    )


def _check_pulls(options: argparse.Namespace) -> None:
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


def _open_pulls(
    repository: Repository,
    base: str,
    commits: Sequence[str],
    subsystems: Mapping[str, str],
    options: argparse.Namespace,
) -> None:
    """Show what would be pushed and opened or, with --open, do it.

    Raises UserError if the remote or the forge does not answer or refuses; what was done until then is recorded.
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
    repository: Repository, base: str, remote: Remote, into: str, revision: str
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
    remote: Remote, target: Remote, into: str, page: str | None, opening: bool
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
