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
    """Return the API of a Gitea or Forgejo, None if the host is neither."""
    code, answer = request("GET", f"{web}/api/v1/version", {})
    known = isinstance(answer, dict) and "version" in answer
    return f"{web}/api/v1" if code == 200 and known else None


def variables(web: str) -> Sequence[str]:
    """Return the variables with a token; they apply to any host."""
    return ("GITEA_TOKEN", "FORGEJO_TOKEN")
