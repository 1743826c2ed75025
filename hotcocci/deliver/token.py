# SPDX-License-Identifier: GPL-2.0
"""Who the user is on a forge: a token of the environment, or what git's credential helper knows."""

from __future__ import annotations

import os
from urllib.parse import urlsplit

from hotcocci.deliver.forges.kind import Forge
from hotcocci.deliver.gitrepo import Repository
from hotcocci.errors import UserError

LOOPBACK = ("localhost", "127.0.0.1", "::1")


def header(repository: Repository, forge: Forge) -> dict[str, str]:
    """The header that says who asks; empty if nothing is known.

    Raises UserError rather than to send a secret that anyone on the way can read.
    """
    parts = urlsplit(forge.web)
    user, secret = "", _from_environment(forge)
    if not secret:
        user, secret = _from_git(repository, forge)
    if not secret:
        return {}
    if parts.scheme != "https" and parts.hostname not in LOOPBACK:
        raise UserError(
            f"{forge.web} is not encrypted and gets no token: use an https address of the remote"
        )
    return {"Authorization": forge.kind.authorization(user, secret)}


def _from_environment(forge: Forge) -> str:
    names = forge.kind.variables(forge.web)
    return next((os.environ[name] for name in names if os.environ.get(name)), "")


def _from_git(repository: Repository, forge: Forge) -> tuple[str, str]:
    """User and password of git's credential helper, empty if it knows none."""
    code, out, _ = repository.as_user(
        *("credential", "fill"),
        stdin=f"url={forge.web}/{forge.name}\n\n",
        extra={"GIT_TERMINAL_PROMPT": "0"},
    )
    told = dict(line.split("=", 1) for line in out.splitlines() if "=" in line)
    if code != 0 or not told.get("password"):
        return "", ""
    return told.get("username", ""), told["password"]
