# SPDX-License-Identifier: GPL-2.0
"""GitLab, whose pull requests are merge requests: https://docs.gitlab.com/api/merge_requests/."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any
from urllib.parse import quote, urlsplit

from hotcocci.deliver.forges.http import PAGE, call, listed, request
from hotcocci.deliver.forges.kind import (
    CLOSED,
    MERGED,
    MERGING,
    OPEN,
    Forge,
    PullRequest,
    Source,
    best,
    is_same,
)

NAME = "GitLab"
HOME = "https://gitlab.com"
NESTED = True
# https://docs.gitlab.com/development/issuable-like-models/
LONGEST: int | None = 1 << 20
STATES = {"opened": OPEN, "closed": CLOSED, "merged": MERGED, "locked": MERGING}


def find_api(web: str) -> str | None:
    """That of gitlab.com, or of a GitLab of one's own, which tells nobody its version unasked.

    See https://docs.gitlab.com/api/version/ and https://docs.gitlab.com/api/rest/authentication/.
    """
    api = f"{web}/api/v4"
    if web == HOME:
        return api
    code, told = request("GET", f"{api}/version", {})
    said = told.get("message") if isinstance(told, dict) else None
    return api if code == 401 and said == "401 Unauthorized" else None


def variables(web: str) -> Sequence[str]:
    """As glab reads them, for the host that GITLAB_HOST names (gitlab.com), and for no other.

    See https://docs.gitlab.com/cli/#environment-variables. Its messages name GITLAB_ACCESS_TOKEN and
    OAUTH_TOKEN besides; the latter does not tell whose it is and is sent to nobody.
    """
    named = os.environ.get("GITLAB_HOST") or os.environ.get("GL_HOST") or HOME
    host = urlsplit(named if "://" in named else f"https://{named}").netloc
    if host.casefold() != urlsplit(web).netloc.casefold():
        return ()
    return ("GITLAB_TOKEN", "GITLAB_ACCESS_TOKEN")


def authorization(user: str, secret: str) -> str:
    """The one word for every kind of token; whose it is, the token tells.

    See https://docs.gitlab.com/api/rest/authentication/#personalprojectgroup-access-tokens.
    """
    return f"Bearer {secret}"


def get(forge: Forge, number: int) -> PullRequest:
    """One merge request, by its number in the project (iid)."""
    return _pull(call(forge, "GET", f"{_requests(forge.name)}/{number}"))


def find(forge: Forge, source: Source) -> PullRequest | None:
    """The merge request from a branch: an open one if there is, else the latest, else None."""
    project = _id(forge, source.name)
    ask = {"state": "all", "source_branch": source.branch, "per_page": PAGE}
    # Other forks may have a branch of that name.
    return best(
        [
            _pull(one)
            for one in listed(forge, _requests(forge.name), ask)
            if one["source_project_id"] == project
        ]
    )


def create(
    forge: Forge, source: Source, into: str, title: str, body: str
) -> PullRequest:
    """Open a merge request, which is asked of the project that the branch is in."""
    told: dict[str, str | int] = {
        "source_branch": source.branch,
        "target_branch": into,
        "title": title,
        "description": body,
    }
    if not is_same(source.name, forge.name):
        told["target_project_id"] = _id(forge, forge.name)
    return _pull(call(forge, "POST", _requests(source.name), told))


def update(forge: Forge, number: int, title: str, body: str) -> PullRequest:
    """Give a merge request another text."""
    told = {"title": title, "description": body}
    return _pull(call(forge, "PUT", f"{_requests(forge.name)}/{number}", told))


def _id(forge: Forge, name: str) -> int:
    """The number of a project, the only name that a request for another one takes."""
    told = call(replace(forge, name=name), "GET", _project(name))
    number: int = told["id"]
    return number


def _project(name: str) -> str:
    # https://docs.gitlab.com/api/rest/#namespaced-paths
    return f"/projects/{quote(name, safe='')}"


def _requests(name: str) -> str:
    return f"{_project(name)}/merge_requests"


def _pull(told: Mapping[str, Any]) -> PullRequest:
    return PullRequest(
        told["iid"],
        told["web_url"],
        STATES[told["state"]],
        told["target_branch"],
        told["title"],
        told["description"] or "",
    )
