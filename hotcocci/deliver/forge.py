# SPDX-License-Identifier: GPL-2.0
"""Find the forge and the repository that the URL of a remote names."""

from __future__ import annotations

import re
from dataclasses import dataclass
from urllib.parse import urlsplit

from hotcocci.deliver.forges import gitea, github, gitlab
from hotcocci.deliver.forges.http import ForgeError, Unreachable
from hotcocci.deliver.forges.kind import Forge, Kind, is_same

# In the order in which a host is probed for them.
KINDS: tuple[Kind, ...] = (gitea, github, gitlab)
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
    """Probe a host for its kind of forge. Raises ForgeError if it is not a known one."""
    words = where.path.split("/")
    known = [kind for kind in KINDS if kind.HOME == where.web]
    for kind in known or KINDS:
        for folders in range(1 if known else len(words) - 1):
            # A forge may be in a subdirectory of its host.
            name = words[folders:]
            if len(name) == 2 or kind.NESTED:
                web = "/".join([where.web, *words[:folders]])
                api = _asked(kind, web)
                if api:
                    return Forge(kind, web, api, "/".join(name))
    names = ", ".join(kind.NAME for kind in KINDS)
    raise ForgeError(
        f"{where.web}/{where.path} is not a repository on a supported forge ({names}): name its page with --forge"
    )


def name_at(forge: Forge, where: Place) -> str:
    """Return a repository's name on a forge."""
    folder = urlsplit(forge.web).path.strip("/")
    # An ssh URL does not have the subdirectory.
    path = where.path.removeprefix(f"{folder}/") if folder else where.path
    name = path if forge.kind.NESTED else "/".join(path.split("/")[-2:])
    return forge.name if is_same(name, forge.name) else name


def _asked(kind: Kind, web: str) -> str | None:
    try:
        return kind.find_api(web)
    except Unreachable as error:
        raise ForgeError(
            f"{error}; if the web pages are on another host, name it with --forge"
        ) from error
