# SPDX-License-Identifier: GPL-2.0
"""Access the user's git repository: add objects and refs, never touch files or the index.

Results depend only on the repository and the user's name: no hooks run, and configuration that
changes git's output is overridden here.
"""

import json
import os
import re
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from hotcocci.errors import UserError
from hotcocci.records import Record, rebuilt
from hotcocci.tree import git
from hotcocci.tree.process import run
from hotcocci.tree.source import decode, readable

# Seconds. The history of some files of a full clone, without a commit graph, takes a minute.
TIMEOUT = 1800.0
SETTINGS = (
    *git.SETTINGS,
    "core.abbrev=12",
    "core.attributesFile=/dev/null",
    "core.autocrlf=false",
    "core.bigFileThreshold=512m",
    "core.quotePath=false",
    "core.sparseCheckout=false",
    "diff.algorithm=patience",
    "diff.context=3",
    "diff.interHunkContext=0",
    "diff.mnemonicPrefix=false",
    "diff.noprefix=false",
    "diff.orderFile=/dev/null",
    "diff.suppressBlankEmpty=false",
    "format.filenameMaxLength=64",
    "format.suffix=.patch",
    "i18n.commitEncoding=UTF-8",
    "i18n.logOutputEncoding=UTF-8",
    "log.follow=false",
)
# Where the user's git configuration and name may be, other than in $HOME.
KEPT = (
    *("XDG_CONFIG_HOME", "GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "EMAIL"),
    *("GIT_AUTHOR_NAME", "GIT_AUTHOR_EMAIL"),
)


_STRANGER = re.compile(r"dubious ownership in repository at '(?P<folder>[^']+)'")


@dataclass(frozen=True)
class Person:
    """An author or committer with a date: seconds and time zone, as git stores them."""

    name: str
    email: str
    date: str


@dataclass(frozen=True)
class Commit:
    """A commit: its parent (the first, empty for none), its author and date, its message."""

    sha: str
    parent: str
    author: Person
    committed: str
    message: str

    @property
    def subject(self) -> str:
        """The first line of the message."""
        return self.message.partition("\n")[0]


@dataclass(frozen=True)
class Repository:
    """A repository: the top of its checkout, and the git directory that all its worktrees share."""

    root: Path
    common: Path

    def git(
        self,
        *arguments: str,
        stdin: str | None = None,
        extra: Mapping[str, str] | None = None,
    ) -> str:
        """Run git and return its output, decoded. Raises UserError if it fails."""
        code, out, err = self.ask(*arguments, stdin=stdin, extra=extra)
        if code != 0:
            said = (err.strip() or out.strip() or f"status {code}").splitlines()
            raise UserError(f"git {arguments[0]} failed in {self.root}: {said[0]}")
        return out

    def ask(
        self,
        *arguments: str,
        stdin: str | None = None,
        extra: Mapping[str, str] | None = None,
    ) -> tuple[int | None, str, str]:
        """Run git; returns status, output and errors. ``stdin`` has one character per byte."""
        settings = [word for setting in SETTINGS for word in ("-c", setting)]
        own = {name: os.environ[name] for name in KEPT if name in os.environ}
        outcome = run(
            ["git", *settings, *arguments],
            self.root,
            TIMEOUT,
            stdin=stdin,
            extra={**own, **(extra or {})},
        )
        return outcome.status, readable(outcome.out), readable(outcome.err)

    def as_user(self, *arguments: str) -> tuple[int, str, str]:
        """Run git to reach a server; returns status, output and errors.

        It gets the user's whole environment, configuration and hooks, and may ask for a password on
        the terminal. Raises UserError if it times out.
        """
        try:
            ran = subprocess.run(
                ["git", *arguments],
                cwd=self.root,
                env={**os.environ, "LC_ALL": "C", "LANGUAGE": "C"},
                input="",
                capture_output=True,
                text=True,
                errors="replace",
                timeout=TIMEOUT,
                check=False,
            )
        except subprocess.TimeoutExpired as error:
            raise UserError(
                f"git {arguments[0]} took longer than {TIMEOUT:.0f} s: check the network, then run the command again"
            ) from error
        return ran.returncode, ran.stdout, ran.stderr


def open_repository(root: Path) -> Repository:
    """Open the repository of a kernel tree.

    Raises UserError if ``root`` is not the top of a git checkout, or belongs to another user.
    """
    here = Repository(root, root)
    code, out, err = here.ask("rev-parse", "--show-toplevel", "--git-common-dir")
    stranger = _STRANGER.search(err)
    if stranger is not None:
        raise UserError(
            f"git does not trust the repository of {root}, which another user owns: "
            f"run 'git config --global --add safe.directory {stranger['folder']}'"
        )
    lines = out.splitlines()
    if code != 0 or len(lines) != 2 or Path(lines[0]).resolve() != root.resolve():
        raise UserError(
            f"{root} is not the top of a git repository: name a clone of a kernel tree with --tree"
        )
    return Repository(root, (root / lines[1]).resolve())


def resolve(repository: Repository, revision: str) -> str:
    """Return the full hash of a revision. Raises UserError if there is no such commit."""
    code, out, _ = repository.ask(
        "rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}"
    )
    if code != 0:
        raise UserError(
            f"{repository.root} has no commit {revision!r}: name one with --base"
        )
    return out.strip()


def read_commit(repository: Repository, sha: str) -> Commit:
    """Read a commit."""
    form = "%H%x00%P%x00%an%x00%ae%x00%ad%x00%cd%x00%B"
    shown = repository.git("log", "-1", "--date=raw", f"--format={form}", sha)
    name, parents, author, email, date, committed, message = shown.split("\0", 6)
    parent = parents.split()[0] if parents else ""
    person = Person(author, email, date)
    return Commit(name, parent, person, committed, message.strip() + "\n")


def identity(repository: Repository, date: str) -> Person:
    """Return the user's name and address from git, with a date. Raises UserError if not configured."""
    code, out, _ = repository.ask(
        "-c", "user.useConfigOnly=true", "var", "GIT_AUTHOR_IDENT"
    )
    name, found, rest = out.partition(" <")
    # git accepts an empty address.
    if code != 0 or not found or rest.startswith(">"):
        raise UserError(
            "git has no user name or address: set user.name and user.email with 'git config'"
        )
    return Person(name, rest.partition(">")[0], date)


def commit_tree(
    repository: Repository,
    tree: str,
    parent: str,
    message: str,
    author: Person,
    committer: Person,
) -> str:
    """Make a commit without a ref; returns its hash."""
    people = (("AUTHOR", author), ("COMMITTER", committer))
    extra = {
        f"GIT_{role}_{what}": value
        for role, person in people
        for what, value in (
            ("NAME", person.name),
            ("EMAIL", person.email),
            ("DATE", person.date),
        )
    }
    return repository.git(
        "commit-tree",
        "--no-gpg-sign",
        *("-p", parent, tree),
        stdin=decode(message.encode()),
        extra=extra,
    ).strip()


def patch_id(repository: Repository, sha: str) -> str:
    """Return the stable patch id of a commit; empty if it changes nothing."""
    diff = repository.git("diff-tree", "-p", "--no-ext-diff", "--no-textconv", sha)
    said = repository.git("patch-id", "--stable", stdin=decode(diff.encode()))
    return said.split()[0] if said else ""


def holds(repository: Repository, tip: str, sha: str) -> bool:
    """Whether ``sha`` is ``tip`` or an ancestor of it; False if ``sha`` does not exist."""
    return repository.ask("merge-base", "--is-ancestor", sha, tip)[0] == 0


def rebased_in(repository: Repository, ref: str) -> Path | None:
    """Return the checkout in which a branch is being rebased (HEAD is detached there), else None."""
    for folder in (repository.common, *repository.common.glob("worktrees/*")):
        for kind in ("rebase-merge", "rebase-apply"):
            head = folder / kind / "head-name"
            if head.is_file() and head.read_text("utf-8").strip() == ref:
                link = folder / "gitdir"
                place = link.read_text("utf-8").strip() if link.is_file() else folder
                return Path(place).parent
    return None


def changed_files(repository: Repository, sha: str) -> frozenset[str]:
    """Return the files that a commit changes."""
    shown = repository.git(
        "diff-tree", "-r", "--no-commit-id", "--name-only", "-z", sha
    )
    return frozenset(filter(None, shown.split("\0")))


def update_refs(repository: Repository, wanted: Sequence[tuple[str, str, str]]) -> None:
    """Update refs, all or none: (name, new, old), with an empty old value for a new ref.

    Raises UserError if one of them no longer has its old value.
    """
    lines = [f"update {name}\0{new}\0{old or '0' * 40}\0" for name, new, old in wanted]
    repository.git("update-ref", "-z", "--no-deref", "--stdin", stdin="".join(lines))


FORMAT = 1


def read_record(repository: Repository, ref: str, kind: type[Record]) -> Record | None:
    """Read what `write_record` wrote to a ref, None if there is nothing. Raises UserError for anything else."""
    code, out, _ = repository.ask("cat-file", "blob", ref)
    if code != 0:
        return None
    try:
        data: dict[str, Any] = json.loads(out)
        if data.pop("format") != FORMAT:
            raise ValueError
        return rebuilt(kind, data)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        # Another version, or someone else, has written it.
        raise UserError(
            f"{ref} is invalid: check it with 'git cat-file -p {ref}', then remove it with 'git update-ref -d {ref}'"
        ) from error


def blob_of(repository: Repository, record: Any) -> str:
    """Store a record, which is a dataclass; returns the name of its object."""
    text = json.dumps({"format": FORMAT, **asdict(record)}, indent=1) + "\n"
    return repository.git("hash-object", "-w", "--stdin", stdin=text).strip()


def write_record(repository: Repository, ref: str, record: Any) -> None:
    """Replace the record in a ref. Raises UserError if git cannot write it."""
    blob = blob_of(repository, record)
    before = repository.ask("rev-parse", "--verify", "--quiet", ref)[1].strip()
    update_refs(repository, [(ref, blob, before)])
