# SPDX-License-Identifier: GPL-2.0
"""GitLab, whose pull requests are merge requests: https://docs.gitlab.com/api/merge_requests/."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any
from urllib.parse import quote

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
from hotcocci.deliver.forges.program import PAGE, call, listed

NAME = "GitLab"
HOME = "https://gitlab.com"
PROGRAM = "glab"
NESTED = True
# https://docs.gitlab.com/development/issuable-like-models/
LONGEST: int | None = 1 << 20
STATES = {"opened": OPEN, "closed": CLOSED, "merged": MERGED, "locked": MERGING}


def get(forge: Forge, number: int) -> PullRequest:
    """Read a merge request by its number in the project (iid)."""
    return _pull(call(forge, "GET", f"{_requests(forge.name)}/{number}"))


def find(forge: Forge, source: Source) -> PullRequest | None:
    """Find the merge request from a branch: an open one, else the latest, else None."""
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
    """Open a merge request; the API is that of the source project."""
    data: dict[str, str | int] = {
        "source_branch": source.branch,
        "target_branch": into,
        "title": title,
        "description": body,
    }
    if not is_same(source.name, forge.name):
        data["target_project_id"] = _id(forge, forge.name)
    return _pull(call(forge, "POST", _requests(source.name), data))


def update(forge: Forge, number: int, title: str, body: str) -> PullRequest:
    """Update title and description of a merge request."""
    data = {"title": title, "description": body}
    return _pull(call(forge, "PUT", f"{_requests(forge.name)}/{number}", data))


def _id(forge: Forge, name: str) -> int:
    """Return the numeric id of a project, which merge requests across projects need."""
    answer = call(replace(forge, name=name), "GET", _project(name))
    number: int = answer["id"]
    return number


def _project(name: str) -> str:
    # https://docs.gitlab.com/api/rest/#namespaced-paths
    return f"/projects/{quote(name, safe='')}"


def _requests(name: str) -> str:
    return f"{_project(name)}/merge_requests"


def _pull(answer: Mapping[str, Any]) -> PullRequest:
    return PullRequest(
        answer["iid"],
        answer["web_url"],
        STATES[answer["state"]],
        answer["target_branch"],
        answer["title"],
        answer["description"] or "",
    )
