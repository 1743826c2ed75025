# SPDX-License-Identifier: GPL-2.0
"""List the branches of a remote and push one of ours."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from hotcocci.deliver.gitrepo import GitError, Repository
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
        raise GitError(f"the remote {name} does not answer: {said}")
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

    Raises GitError if it has moved, or the remote refuses.
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
        raise GitError(
            f"{branch} was not pushed to {remote.name}: {why}: check the remote branch, then run the command again"
        )
