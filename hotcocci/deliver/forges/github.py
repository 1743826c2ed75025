# SPDX-License-Identifier: GPL-2.0
"""GitHub, and GitHub Enterprise Server: https://docs.github.com/rest/pulls/pulls."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hotcocci.deliver.forges.kind import (
    MERGED,
    Forge,
    PullRequest,
    Source,
    best,
    is_same,
)
from hotcocci.deliver.forges.program import PAGE, call, listed

NAME = "GitHub"
HOME = "https://github.com"
PROGRAM = "gh"
NESTED = False
# Undocumented, but GitHub's error for a longer text says so:
# https://github.com/renovatebot/renovate/issues/2032
LONGEST: int | None = 65536


def get(forge: Forge, number: int) -> PullRequest:
    """Read a pull request."""
    return _pull(call(forge, "GET", f"{_path(forge)}/{number}"))


def find(forge: Forge, source: Source) -> PullRequest | None:
    """Find the pull request from a branch: an open one, else the latest, else None."""
    head = f"{_owner(source.name)}:{source.branch}"
    ask = {"state": "all", "head": head, "per_page": PAGE}
    return best(
        [
            _pull(one)
            for one in listed(forge, _path(forge), ask)
            if one["head"]["ref"] == source.branch
            # A deleted fork has no "repo".
            and is_same(
                (one["head"].get("repo") or {}).get("full_name", ""), source.name
            )
        ]
    )


def create(
    forge: Forge, source: Source, into: str, title: str, body: str
) -> PullRequest:
    """Open a pull request from a branch of the repository or of a fork."""
    data = {"title": title, "head": source.branch, "base": into, "body": body}
    if not is_same(source.name, forge.name):
        owner, _, name = source.name.partition("/")
        data["head"] = f"{owner}:{source.branch}"
        if is_same(owner, _owner(forge.name)):
            # The owner has both repositories, so name the fork.
            data["head_repo"] = name
    return _pull(call(forge, "POST", _path(forge), data))


def update(forge: Forge, number: int, title: str, body: str) -> PullRequest:
    """Update title and body of a pull request."""
    data = {"title": title, "body": body}
    return _pull(call(forge, "PATCH", f"{_path(forge)}/{number}", data))


def _path(forge: Forge) -> str:
    return f"/repos/{forge.name}/pulls"


def _owner(name: str) -> str:
    return name.partition("/")[0]


def _pull(answer: Mapping[str, Any]) -> PullRequest:
    state = MERGED if answer.get("merged_at") else answer["state"]
    return PullRequest(
        answer["number"],
        answer["html_url"],
        state,
        answer["base"]["ref"],
        answer["title"],
        answer["body"] or "",
    )
