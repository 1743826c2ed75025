# SPDX-License-Identifier: GPL-2.0
"""Make commits without touching a checkout, using a separate index."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from hotcocci.deliver.gitrepo import (
    Commit,
    Person,
    Repository,
    commit_tree,
    read_commit,
)
from hotcocci.deliver.parts import Part
from hotcocci.errors import UserError


class ConflictError(UserError):
    """A commit does not apply to its new parent."""


def commit_parts(
    repository: Repository,
    base: str,
    parts: Sequence[Part],
    message: str,
    author: Person,
) -> str:
    """Make a commit on ``base`` that changes these files; ``author`` has the date, too."""
    with _index(repository, base) as extra:
        files = [f":(top,literal){part.file}" for part in parts]
        listed = repository.git("ls-tree", "-z", base, "--", *files)
        # MODE blob OBJECT\tFILE
        modes = {
            file: head.split()[0]
            for head, _, file in (
                line.partition("\t") for line in listed.split("\0") if line
            )
        }
        lines = []
        for part in parts:
            blob = repository.git(
                "hash-object", "-w", "--stdin", stdin=part.after
            ).strip()
            lines.append(f"{modes[part.file]} {blob}\t{part.file}\0")
        repository.git(
            "update-index", "-z", "--index-info", stdin="".join(lines), extra=extra
        )
        tree = repository.git("write-tree", extra=extra).strip()
    return commit_tree(repository, tree, base, message, author, author)


def pick(repository: Repository, sha: str, tip: str, committer: Person) -> str | None:
    """Cherry-pick a commit onto ``tip``; returns ``sha`` itself if that is its parent already.

    Author, dates and message are kept. Returns None if the result is empty. Raises ConflictError if
    it does not apply.
    """
    commit = read_commit(repository, sha)
    if commit.parent == tip:
        return sha
    with _index(repository, tip) as extra, tempfile.TemporaryDirectory() as folder:
        diff = Path(folder) / "diff"
        repository.git(
            *("diff-tree", "-p", "--binary", "--full-index", "--no-ext-diff"),
            *("--no-textconv", f"--output={diff}", f"{sha}^", sha),
        )
        if diff.stat().st_size:
            code, _, err = repository.ask(
                "apply", "--cached", "--3way", str(diff), extra=extra
            )
            if code != 0:
                raise ConflictError(_conflict(commit, tip, err))
        tree = repository.git("write-tree", extra=extra).strip()
    if tree == repository.git("rev-parse", f"{tip}^{{tree}}").strip():
        return None
    again = Person(committer.name, committer.email, commit.committed)
    return commit_tree(repository, tree, tip, commit.message, commit.author, again)


def _conflict(commit: Commit, tip: str, err: str) -> str:
    files = [
        line.split("'")[1]
        for line in err.splitlines()
        if "with conflicts" in line and "'" in line
    ]
    where = f" in {', '.join(files)}" if files else ""
    return (
        f"commit {commit.sha[:12]} ({commit.subject}) does not apply to {tip[:12]}{where}: "
        "rebase the branch, then run the command again"
    )


@contextmanager
def _index(repository: Repository, commit: str) -> Iterator[dict[str, str]]:
    """Yield an environment that makes git use a temporary index with the files of a commit."""
    with tempfile.TemporaryDirectory(prefix="hotcocci-index-") as folder:
        extra = {"GIT_INDEX_FILE": str(Path(folder) / "index")}
        repository.git("read-tree", commit, extra=extra)
        yield extra
