# SPDX-License-Identifier: GPL-2.0
"""Who the user is on a forge: a token of the environment, or what git's credential helper knows."""

from __future__ import annotations

import base64
import os
from urllib.parse import urlsplit

from hotcocci.deliver.forge import GITEA, GITHUB, Place
from hotcocci.deliver.gitrepo import Repository
from hotcocci.errors import UserError

# As gh reads them (gh help environment), so that none of github.com reaches another host.
VARIABLES = {
    (GITHUB, True): ("GH_TOKEN", "GITHUB_TOKEN"),
    (GITHUB, False): ("GH_ENTERPRISE_TOKEN", "GITHUB_ENTERPRISE_TOKEN"),
    (GITEA, False): ("GITEA_TOKEN", "FORGEJO_TOKEN"),
}
LOOPBACK = ("localhost", "127.0.0.1", "::1")


def header(repository: Repository, kind: str, where: Place) -> dict[str, str]:
    """The header that says who asks; empty if nothing is known.

    Raises UserError rather than to send a secret that anyone on the way can read.
    """
    parts = urlsplit(where.web)
    secret = _from_environment(kind, where) or _from_git(repository, where)
    if secret and parts.scheme != "https" and parts.hostname not in LOOPBACK:
        raise UserError(
            f"{where.web} is not encrypted and gets no token: use an https address of the remote"
        )
    return {"Authorization": secret} if secret else {}


def _from_environment(kind: str, where: Place) -> str:
    names = VARIABLES[kind, where.web == "https://github.com"]
    token = next((os.environ[name] for name in names if os.environ.get(name)), "")
    # Both kinds know this word, and Gitea of old no other.
    return f"token {token}" if token else ""


def _from_git(repository: Repository, where: Place) -> str:
    code, out, _ = repository.as_user(
        *("credential", "fill"),
        stdin=f"url={where.web}/{where.name}\n\n",
        extra={"GIT_TERMINAL_PROMPT": "0"},
    )
    told = dict(line.split("=", 1) for line in out.splitlines() if "=" in line)
    if code != 0 or not told.get("password"):
        return ""
    both = f"{told.get('username', '')}:{told['password']}"
    return f"Basic {base64.b64encode(both.encode()).decode()}"
