# SPDX-License-Identifier: GPL-2.0
"""Open and update pull requests, one per subsystem of a series.

What was pushed and opened is recorded in a ref, so that a later run can update it.
"""

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from hotcocci.deliver.forge import (
    CLOSED,
    MERGED,
    MERGING,
    Forge,
    PullRequest,
    Source,
    is_same,
)
from hotcocci.deliver.gitrepo import (
    Repository,
    identity,
    patch_id,
    read_commit,
    read_record,
    write_record,
)
from hotcocci.deliver.series import ConflictError, pick
from hotcocci.errors import UserError


@dataclass(frozen=True)
class Remote:
    """A remote as it is now: its URL, its default branch, and the commits of all branches."""

    name: str
    url: str
    head: str
    tips: Mapping[str, str]


def look(repository: Repository, name: str) -> Remote:
    """Query a remote. Raises UserError if there is none of that name, or it does not answer."""
    code, out, _ = repository.ask("remote", "get-url", "--push", name)
    if code != 0:
        known = ", ".join(repository.git("remote").split()) or "none"
        raise UserError(
            f"{repository.root} has no remote {name}: use one of its remotes ({known})"
        )
    url = out.strip()
    # By name: a URL may have a password, which ps(1) would show.
    code, out, err = repository.as_user(
        "ls-remote", "--symref", name, "HEAD", "refs/heads/*"
    )
    if code != 0:
        said = (err.strip() or "no error message").splitlines()[-1]
        raise UserError(f"the remote {name} does not answer: {said}")
    head, tips = "", {}
    for line in out.splitlines():
        value, _, ref = line.partition("\t")
        if value.startswith("ref: "):
            head = value.removeprefix("ref: refs/heads/")
        elif ref.startswith("refs/heads/"):
            tips[ref.removeprefix("refs/heads/")] = value
    return Remote(name, url, head, tips)


def push(
    repository: Repository, remote: Remote, branch: str, sha: str, expected: str
) -> None:
    """Set a branch of the remote if it is still at ``expected`` (empty for a new branch).

    Raises UserError if it has moved, or the remote refuses.
    """
    ref = f"refs/heads/{branch}"
    code, out, err = repository.as_user(
        *("push", "--porcelain", "--no-follow-tags", "--recurse-submodules=no"),
        *(f"--force-with-lease={ref}:{expected}", remote.name, f"{sha}:{ref}"),
    )
    if code != 0:
        refused = [line for line in out.splitlines() if line.startswith("!")]
        said = refused or [line for line in err.splitlines() if line.strip()]
        why = said[0].split("\t")[-1] if said else "no error message"
        raise UserError(
            f"{branch} was not pushed to {remote.name}: {why}: check the remote branch, then run the command again"
        )


REFS = "refs/hotcocci/pulls"
SIGNED = "Signed-off-by"


def check_signed(
    repository: Repository, commits: Sequence[str], base: str, branch: str
) -> None:
    """Raise UserError if a commit has no Signed-off-by, which maintainers require.

    See "Sign your work" in Documentation/process/submitting-patches.rst.
    """
    form = f"--format=%(trailers:key={SIGNED},valueonly)"
    bare = [
        sha for sha in commits if not repository.git("log", "-1", form, sha).strip()
    ]
    if bare:
        first = read_commit(repository, bare[0]).subject
        raise UserError(
            f"{len(bare)} of {len(commits)} patches lack a {SIGNED}, first: {first}: "
            f"review them, run 'git rebase --signoff {base} {branch}', and switch back"
        )


_TRAILER = re.compile(r"[A-Z][A-Za-z -]+: \S")
# "@name" notifies a user and "#1" links an issue. GitHub ignores a backslash there
# (https://github.com/github/cmark-gfm/issues/181); code spans work on all forges.
_CALLED = r"(?P<called>(?<![\w.])@\w[\w/-]*|#\d+)"
# A "_" inside a word is literal on all forges. "!", "$", "&" and "%" start GitLab references:
# https://docs.gitlab.com/user/markdown/#gitlab-specific-references
_SIGN = r"[\\`*<>\[\]#|~$]|(?<!\w)_|!(?=\d)|&(?=\w)|%(?=[\w\"])"
_ESCAPED = re.compile(f"{_CALLED}|{_SIGN}")


@dataclass(frozen=True)
class Route:
    """The target repository and branch of pull requests, and the repository pushed to."""

    to: Forge
    into: str
    pushed: str

    @property
    def place(self) -> str:
        """The key of recorded pull requests: the target repository and, if it is another, the fork."""
        fork = "" if is_same(self.pushed, self.to.name) else f" from {self.pushed}"
        return f"{self.to.web} {self.to.name}{fork}"


@dataclass(frozen=True)
class Wanted:
    """A pull request as it should be: its branch, the commit to push, its patch ids and its text."""

    subsystem: str
    branch: str
    tip: str
    patches: tuple[str, ...]
    title: str
    body: str


@dataclass(frozen=True)
class Known:
    """The record of a pull request; ``number`` is 0 until it is opened.

    ``where`` is the place of its route. ``asked`` is a hash of the text that was sent, ``text`` of
    the text as the forge stored it.
    """

    where: str
    branch: str
    pushed: str
    patches: tuple[str, ...]
    number: int = 0
    asked: str = ""
    text: str = ""


@dataclass(frozen=True)
class Step:
    """The next step for a pull request; ``blocked`` says why nothing can be done.

    ``pull`` is the existing one, if any. ``rewrite`` is whether to update its text, which is never
    done if someone edited it.
    """

    wanted: Wanted
    known: Known
    pull: PullRequest | None
    push: bool = False
    rewrite: bool = False
    blocked: str = ""

    @property
    def to_do(self) -> bool:
        """Whether there is anything to do."""
        return not self.blocked and (self.push or self.rewrite or self.pull is None)


def wanted(
    repository: Repository,
    base: str,
    name: str,
    commits: Sequence[str],
    subsystems: Mapping[str, str],
) -> tuple[list[Wanted], list[str]]:
    """Return the pull requests of a series, and a line for each that cannot be made.

    Each has only the commits of one subsystem, on the base of the series.
    """
    person = identity(repository, read_commit(repository, base).committed)
    found, left_out = [], []
    for subsystem in dict.fromkeys(subsystems[sha] for sha in commits):
        own = [sha for sha in commits if subsystems[sha] == subsystem]
        tip = base
        try:
            for sha in own:
                tip = pick(repository, sha, tip, person) or tip
        except ConflictError as error:
            left_out.append(
                f"{subsystem}: it depends on a patch of another subsystem: {error}"
            )
            continue
        title, body = text([read_commit(repository, sha).message for sha in own])
        patches = tuple(sorted(patch_id(repository, sha) for sha in own))
        branch = f"{name}-{_slug(subsystem)}"
        found.append(Wanted(subsystem, branch, tip, patches, title, body))
    return _told_apart(found), left_out


def step(route: Route, known: Sequence[Known], one: Wanted, tip: str) -> Step:
    """Return what to do; ``tip`` is the branch of the remote pushed to, empty if it has none.

    Raises UserError if the forge cannot be reached.
    """
    to, where = route.to, route.place
    before = next(
        (k for k in known if k.where == where and k.branch == one.branch),
        Known(where, one.branch, "", ()),
    )
    pull = None
    if before.number:
        pull = to.get(before.number)
    elif tip:
        # An interrupted run pushed the branch and may have opened the pull request.
        pull = to.find(Source(route.pushed, one.branch))
    if pull is not None and pull.state == MERGING:
        return Step(one, before, pull, blocked="being merged, try again in a minute")
    if pull is not None and pull.state == MERGED:
        ours = before.patches or (one.patches if tip == one.tip else ())
        if set(one.patches) <= set(ours):
            return Step(one, before, pull, blocked="merged")
        pull, before = None, replace(before, number=0, asked="", text="")
    if pull is not None and pull.state == CLOSED:
        return Step(one, before, pull, blocked="closed, not reopened")
    if pull is not None and pull.into != route.into:
        why = f"its target is {pull.into}: change the target, or use --into {pull.into}"
        return Step(one, before, pull, blocked=why)
    if tip not in ("", one.tip, before.pushed):
        why = f"the remote branch {one.branch} is at {tip[:12]}, which was not pushed by this command: check it, then delete or rename it"
        return Step(one, before, pull, blocked=why)
    other = before.asked != _digest(one.title, one.body)
    as_left = pull is not None and _digest(pull.title, pull.body) == before.text
    rewrite = other and as_left
    longest = to.LONGEST
    if (pull is None or rewrite) and longest and len(one.body) > longest:
        why = f"its text has {len(one.body)} characters, but {to.NAME} allows {longest}: shorten its commit messages"
        return Step(one, before, pull, blocked=why)
    return Step(one, before, pull, tip != one.tip, rewrite)


def do(
    repository: Repository, route: Route, remote: Remote, step: Step
) -> tuple[PullRequest, Known]:
    """Push, then open or update the pull request; returns it and its record.

    Raises UserError; the next run finds what was pushed.
    """
    to, one = route.to, step.wanted
    if step.push:
        push(repository, remote, one.branch, one.tip, remote.tips.get(one.branch, ""))
    known = replace(step.known, pushed=one.tip, patches=one.patches)
    if step.pull is None:
        source = Source(route.pushed, one.branch)
        pull = to.create(source, route.into, one.title, one.body)
    elif step.rewrite:
        pull = to.update(step.pull.number, one.title, one.body)
    else:
        return step.pull, replace(known, number=step.pull.number)
    asked, got = _digest(one.title, one.body), _digest(pull.title, pull.body)
    return pull, replace(known, number=pull.number, asked=asked, text=got)


@dataclass(frozen=True)
class _Records:
    """The records of a series."""

    pulls: tuple[Known, ...] = ()


def read(repository: Repository, branch: str) -> tuple[Known, ...]:
    """Read the records of a series. Raises UserError if they are invalid."""
    found = read_record(repository, f"{REFS}/{branch}", _Records) or _Records()
    return found.pulls


def remember(repository: Repository, branch: str, known: Known) -> None:
    """Add or replace the record of a pull request."""
    others = [
        one
        for one in read(repository, branch)
        if (one.where, one.branch) != (known.where, known.branch)
    ]
    write_record(repository, f"{REFS}/{branch}", _Records((*others, known)))


def _told_apart(several: Sequence[Wanted]) -> list[Wanted]:
    """Make branch names unique, also for subsystems that differ only in punctuation."""
    names = [one.branch for one in several]
    return [
        one
        if names.count(one.branch) == 1
        else replace(one, branch=f"{one.branch}-{_digest(one.subsystem, '')[:6]}")
        for one in several
    ]


def _slug(subsystem: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", subsystem.lower()).strip("-") or "rest"


def _digest(title: str, body: str) -> str:
    return hashlib.sha256(f"{title}\0{body}".encode()).hexdigest()


def text(messages: Sequence[str]) -> tuple[str, str]:
    """Return title and body of a pull request for commits with these messages."""
    title = messages[0].partition("\n")[0]
    if len(messages) == 1:
        return title, _body(messages[0])
    parts = []
    for message in messages:
        parts.append(f"### {_ESCAPED.sub(_escape, message.partition(chr(10))[0])}")
        parts.append(_body(message))
    return title, "\n\n".join(part for part in parts if part)


def _body(message: str) -> str:
    """Convert the body of a message: tables verbatim, each paragraph on one line."""
    blocks = [
        block for block in message.partition("\n")[2].split("\n\n") if block.strip()
    ]
    return "\n\n".join(_block(block.strip("\n").split("\n")) for block in blocks)


def _block(lines: Sequence[str]) -> str:
    if any(
        re.search(r"\S  +\S", line) or line[:1].isspace() for line in lines
    ) and not (lines[0].startswith("- ")):
        # A table: columns are separated by spaces.
        return "\n".join(["```", *lines, "```"])
    shown = [_ESCAPED.sub(_escape, line.strip()) for line in lines]
    if all(_TRAILER.match(line) for line in lines):
        return "  \n".join(shown)
    text = shown[0]
    for line in shown[1:]:
        text += f"\n{line}" if line.startswith("- ") else f" {line}"
    # GitLab runs "/close" at the start of a line as a command: https://docs.gitlab.com/user/project/quick_actions/
    return f"\\{text}" if text.startswith("/") else text


def _escape(found: re.Match[str]) -> str:
    return f"`{found[0]}`" if found["called"] else f"\\{found[0]}"
