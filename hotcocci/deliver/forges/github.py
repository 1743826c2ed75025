# SPDX-License-Identifier: GPL-2.0
"""GitHub, and GitHub Enterprise Server: https://docs.github.com/rest/pulls/pulls."""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from typing import Any

from hotcocci.deliver.forges.http import PAGE, call, listed, request
from hotcocci.deliver.forges.kind import (
    MERGED,
    Forge,
    PullRequest,
    Source,
    best,
    is_same,
)

NAME = "GitHub"
HOME = "https://github.com"
NESTED = False
# Undocumented, but GitHub's error for a longer text says so:
# https://github.com/renovatebot/renovate/issues/2032
LONGEST: int | None = 65536


def find_api(web: str) -> str | None:
    """Return the API of github.com or a GitHub Enterprise Server, None if the host is neither."""
    if web == HOME:
        return "https://api.github.com"
    code, answer = request("GET", f"{web}/api/v3/meta", {})
    known = isinstance(answer, dict) and "verifiable_password_authentication" in answer
    return f"{web}/api/v3" if code == 200 and known else None


def variables(web: str) -> Sequence[str]:
    """Return the variables with a token, as gh does ("gh help environment"): github.com has its own."""
    if web == HOME:
        return ("GH_TOKEN", "GITHUB_TOKEN")
    return ("GH_ENTERPRISE_TOKEN", "GITHUB_ENTERPRISE_TOKEN")


def authorization(user: str, secret: str) -> str:
    """Return a token header, with the scheme that old versions of Gitea need, or basic authentication."""
    if not user:
        return f"token {secret}"
    return f"Basic {base64.b64encode(f'{user}:{secret}'.encode()).decode()}"


def get(forge: Forge, number: int) -> PullRequest:
    """Read a pull request."""
    return _pull(call(forge, "GET", f"{_path(forge)}/{number}"))


def find(forge: Forge, source: Source) -> PullRequest | None:
    """Find the pull request from a branch: an open one, else the latest, else None."""
    # GitHub knows "head" and "per_page", Gitea "limit".
    head = f"{_owner(source.name)}:{source.branch}"
    ask = {"state": "all", "head": head, "limit": PAGE, "per_page": PAGE}
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
