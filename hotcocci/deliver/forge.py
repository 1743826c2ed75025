# SPDX-License-Identifier: GPL-2.0
"""Find the forge and the repository that the URL of a remote names."""

from __future__ import annotations

import re
import shutil
from dataclasses import dataclass
from urllib.parse import urlsplit

from hotcocci.deliver.forges import github, gitlab
from hotcocci.deliver.forges.kind import Forge, Kind, is_same
from hotcocci.deliver.forges.program import ForgeError, is_logged_in

KINDS: tuple[Kind, ...] = (github, gitlab)
_SCP = re.compile(r"(?:[^@/]+@)?([^:/]+):(?!//)(.+)")


@dataclass(frozen=True)
class Place:
    """A repository on the web: its host (https://HOST) and its path there."""

    web: str
    path: str


def place(url: str) -> Place | None:
    """Return the host and path of a remote's URL, None if it has no host.

    An ssh URL is mapped to https on the same host.
    """
    parts = urlsplit(url)
    scp = None if "://" in url else _SCP.fullmatch(url)
    if scp is not None:
        web, path = f"https://{scp[1]}", scp[2]
    elif parts.scheme in ("http", "https") and parts.hostname:
        port = f":{parts.port}" if parts.port else ""
        web, path = f"{parts.scheme}://{parts.hostname}{port}", parts.path
    elif parts.scheme in ("ssh", "git+ssh") and parts.hostname:
        web, path = f"https://{parts.hostname}", parts.path
    else:
        return None
    # GitLab's pages about a repository have "/-/" after its path.
    path = path.partition("/-/")[0].strip("/").removesuffix(".git")
    return Place(web, path) if "/" in path else None


def find(where: Place) -> Forge:
    """Find the kind of forge on a host. Raises ForgeError if it is not a known one."""
    host = urlsplit(where.web).netloc
    kinds = [kind for kind in KINDS if kind.HOME == where.web] or [
        kind
        for kind in KINDS
        if shutil.which(kind.PROGRAM) and is_logged_in(kind, host)
    ]
    if not kinds:
        logins = " or ".join(
            f"'{kind.PROGRAM} auth login --hostname {host}' ({kind.NAME})"
            for kind in KINDS
        )
        raise ForgeError(
            f"no login for {host}: run {logins}, or name the page of another repository with --forge"
        )
    if where.path.count("/") > 1 and not kinds[0].NESTED:
        raise ForgeError(
            f"{where.web}/{where.path} is not a repository on {kinds[0].NAME}: name its page with --forge"
        )
    return Forge(kinds[0], where.web, where.path)


def check_login(forge: Forge) -> None:
    """Raise ForgeError if pull requests cannot be opened for lack of a login."""
    if not is_logged_in(forge.kind, forge.host):
        raise ForgeError(
            f"{forge.kind.PROGRAM} has no login for {forge.host}: "
            f"run '{forge.kind.PROGRAM} auth login --hostname {forge.host}'"
        )


def name_at(forge: Forge, where: Place) -> str:
    """Return a repository's name on a forge."""
    path = where.path
    name = path if forge.kind.NESTED else "/".join(path.split("/")[-2:])
    return forge.name if is_same(name, forge.name) else name
