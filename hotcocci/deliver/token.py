# SPDX-License-Identifier: GPL-2.0
"""Find the user's token for a forge, in the environment or by git's credential helper."""

from __future__ import annotations

import os
from urllib.parse import urlsplit

from hotcocci.deliver.forges.kind import Forge
from hotcocci.deliver.gitrepo import Repository
from hotcocci.errors import UserError

LOOPBACK = ("localhost", "127.0.0.1", "::1")


def header(repository: Repository, forge: Forge) -> dict[str, str]:
    """Return the Authorization header; empty without a token.

    Raises UserError if the token would be sent unencrypted.
    """
    parts = urlsplit(forge.web)
    user, secret = "", _from_environment(forge)
    if not secret:
        user, secret = _from_git(repository, forge)
    if not secret:
        return {}
    if parts.scheme != "https" and parts.hostname not in LOOPBACK:
        raise UserError(
            f"{forge.web} is not encrypted, so no token is sent: use an https URL for the remote"
        )
    return {"Authorization": forge.kind.authorization(user, secret)}


def _from_environment(forge: Forge) -> str:
    names = forge.kind.variables(forge.web)
    return next((os.environ[name] for name in names if os.environ.get(name)), "")


def _from_git(repository: Repository, forge: Forge) -> tuple[str, str]:
    """Return user and password from git's credential helper, empty if it has none."""
    code, out, _ = repository.as_user(
        *("credential", "fill"),
        stdin=f"url={forge.web}/{forge.name}\n\n",
        extra={"GIT_TERMINAL_PROMPT": "0"},
    )
    found = dict(line.split("=", 1) for line in out.splitlines() if "=" in line)
    if code != 0 or not found.get("password"):
        return "", ""
    return found.get("username", ""), found["password"]
