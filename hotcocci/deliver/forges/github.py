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
# No page of GitHub's tells it, its answer to a longer one does:
# https://github.com/renovatebot/renovate/issues/2032
LONGEST: int | None = 65536


def find_api(web: str) -> str | None:
    """That of github.com, or of a GitHub Enterprise Server."""
    if web == HOME:
        return "https://api.github.com"
    code, told = request("GET", f"{web}/api/v3/meta", {})
    known = isinstance(told, dict) and "verifiable_password_authentication" in told
    return f"{web}/api/v3" if code == 200 and known else None


def variables(web: str) -> Sequence[str]:
    """As gh reads them (gh help environment), so that none of github.com reaches another host."""
    if web == HOME:
        return ("GH_TOKEN", "GITHUB_TOKEN")
    return ("GH_ENTERPRISE_TOKEN", "GITHUB_ENTERPRISE_TOKEN")


def authorization(user: str, secret: str) -> str:
    """A token in the word that Gitea of old knows, too, and no other; else user and password."""
    if not user:
        return f"token {secret}"
    return f"Basic {base64.b64encode(f'{user}:{secret}'.encode()).decode()}"


def get(forge: Forge, number: int) -> PullRequest:
    """One pull request."""
    return _pull(call(forge, "GET", f"{_path(forge)}/{number}"))


def find(forge: Forge, source: Source) -> PullRequest | None:
    """The pull request from a branch: an open one if there is, else the latest, else None."""
    # Only GitHub knows "head", and only it calls the limit "per_page".
    head = f"{_owner(source.name)}:{source.branch}"
    ask = {"state": "all", "head": head, "limit": PAGE, "per_page": PAGE}
    return best(
        [
            _pull(one)
            for one in listed(forge, _path(forge), ask)
            if one["head"]["ref"] == source.branch
            # A fork that was deleted since has none.
            and is_same(
                (one["head"].get("repo") or {}).get("full_name", ""), source.name
            )
        ]
    )


def create(
    forge: Forge, source: Source, into: str, title: str, body: str
) -> PullRequest:
    """Open a pull request from a branch of the repository, or of a fork, whatever its name."""
    told = {"title": title, "head": source.branch, "base": into, "body": body}
    if not is_same(source.name, forge.name):
        owner, _, name = source.name.partition("/")
        told["head"] = f"{owner}:{source.branch}"
        if is_same(owner, _owner(forge.name)):
            # The owner alone does not tell which of the two it is.
            told["head_repo"] = name
    return _pull(call(forge, "POST", _path(forge), told))


def update(forge: Forge, number: int, title: str, body: str) -> PullRequest:
    """Give a pull request another text."""
    told = {"title": title, "body": body}
    return _pull(call(forge, "PATCH", f"{_path(forge)}/{number}", told))


def _path(forge: Forge) -> str:
    return f"/repos/{forge.name}/pulls"


def _owner(name: str) -> str:
    return name.partition("/")[0]


def _pull(told: Mapping[str, Any]) -> PullRequest:
    state = MERGED if told.get("merged_at") else told["state"]
    return PullRequest(
        told["number"],
        told["html_url"],
        state,
        told["base"]["ref"],
        told["title"],
        told["body"] or "",
    )
