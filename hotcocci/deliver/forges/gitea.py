# SPDX-License-Identifier: GPL-2.0
"""Gitea and Forgejo, which follow GitHub's API: /api/swagger of any of them."""

from __future__ import annotations

from collections.abc import Sequence

from hotcocci.deliver.forges import github
from hotcocci.deliver.forges.http import request

NAME = "Gitea or Forgejo"
HOME = ""
NESTED = False
LONGEST: int | None = None

authorization = github.authorization
get = github.get
find = github.find
create = github.create
update = github.update


def find_api(web: str) -> str | None:
    """Theirs is at one place."""
    code, told = request("GET", f"{web}/api/v1/version", {})
    known = isinstance(told, dict) and "version" in told
    return f"{web}/api/v1" if code == 200 and known else None


def variables(web: str) -> Sequence[str]:
    """They name no host: whichever of theirs is asked gets the token."""
    return ("GITEA_TOKEN", "FORGEJO_TOKEN")
