# SPDX-License-Identifier: GPL-2.0
"""Which forge the address of a remote belongs to, and what the repository is called there."""

from __future__ import annotations

import re
from dataclasses import dataclass
from urllib.parse import urlsplit

from hotcocci.deliver.forges import gitea, github, gitlab
from hotcocci.deliver.forges.http import ForgeError, Unreachable
from hotcocci.deliver.forges.kind import Forge, Kind, is_same

# In the order in which they are asked whether a host is theirs.
KINDS: tuple[Kind, ...] = (gitea, github, gitlab)
_SCP = re.compile(r"(?:[^@/]+@)?([^:/]+):(?!//)(.+)")


@dataclass(frozen=True)
class Place:
    """A repository on the web: its host (https://HOST), and the path that it has there."""

    web: str
    path: str


def place(url: str) -> Place | None:
    """The place that the address of a remote names, None if it is on no host.

    It may be an address for ssh, for which the web is asked at the same host.
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
    # Behind "/-/" GitLab has the pages about a repository.
    path = path.partition("/-/")[0].strip("/").removesuffix(".git")
    return Place(web, path) if "/" in path else None


def find(where: Place) -> Forge:
    """The forge of a place, which is asked what it is. Raises ForgeError if it is none."""
    words = where.path.split("/")
    known = [kind for kind in KINDS if kind.HOME == where.web]
    for kind in known or KINDS:
        for folders in range(1 if known else len(words) - 1):
            # A forge may live in a folder of its host.
            name = words[folders:]
            if len(name) == 2 or kind.NESTED:
                web = "/".join([where.web, *words[:folders]])
                api = _asked(kind, web)
                if api:
                    return Forge(kind, web, api, "/".join(name))
    names = ", ".join(kind.NAME for kind in KINDS)
    raise ForgeError(
        f"{where.web}/{where.path} is no repository of a forge that is known here ({names}): name its page by --forge"
    )


def name_at(forge: Forge, where: Place) -> str:
    """What a repository of a forge is called there, by the address of a remote."""
    folder = urlsplit(forge.web).path.strip("/")
    # An address for ssh knows nothing of the folder.
    path = where.path.removeprefix(f"{folder}/") if folder else where.path
    name = path if forge.kind.NESTED else "/".join(path.split("/")[-2:])
    return forge.name if is_same(name, forge.name) else name


def _asked(kind: Kind, web: str) -> str | None:
    try:
        return kind.find_api(web)
    except Unreachable as error:
        raise ForgeError(
            f"{error}; if the pages of the repository are at another host, name that by --forge"
        ) from error
