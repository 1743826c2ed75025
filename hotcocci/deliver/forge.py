# SPDX-License-Identifier: GPL-2.0
"""Pull requests through the REST API of a forge: that of GitHub, or of Gitea and Forgejo, which follows it.

See https://docs.github.com/rest/pulls/pulls, and /api/swagger of a Gitea.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

import requests

from hotcocci.errors import UserError

GITHUB = "GitHub"
GITEA = "Gitea"
OPEN = "open"
CLOSED = "closed"
MERGED = "merged"
# Seconds. A forge that makes a pull request of a kernel looks for conflicts first.
TIMEOUT = 120.0
# The most that both kinds list at once.
PAGE = 50
_SCP = re.compile(r"(?:[^@/]+@)?([^:/]+):(?!//)(.+)")


class ForgeError(UserError):
    """The forge refused, or cannot be reached; the message says what to do."""


@dataclass(frozen=True)
class Place:
    """A repository on the web: of which host (https://HOST), and its name there (OWNER/NAME)."""

    web: str
    name: str

    @property
    def owner(self) -> str:
        """The user or organisation."""
        return self.name.partition("/")[0]


@dataclass(frozen=True)
class Forge:
    """The API of a repository: its kind, where it is, and how one is known there."""

    kind: str
    api: str
    name: str
    auth: Mapping[str, str] = field(default_factory=dict, repr=False)


@dataclass(frozen=True)
class PullRequest:
    """A pull request as the forge has it; ``state`` is OPEN, CLOSED or MERGED."""

    number: int
    url: str
    state: str
    title: str
    body: str


def place(url: str) -> Place | None:
    """The repository that the address of a remote names, None if it is on no host.

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
    words = path.strip("/").removesuffix(".git").split("/")
    if len(words) < 2:
        return None
    # A forge may live in a folder of its host.
    return Place("/".join([web, *words[:-2]]), "/".join(words[-2:]))


def find_api(where: Place) -> tuple[str, str]:
    """The kind of a forge, and the address of its API. Raises ForgeError if none answers."""
    if where.web == "https://github.com":
        return GITHUB, "https://api.github.com"
    for kind, path, key in (
        (GITEA, "/api/v1", "version"),
        # GitHub Enterprise Server.
        (GITHUB, "/api/v3", "verifiable_password_authentication"),
    ):
        ask = {"version": "/version"}.get(key, "/meta")
        code, told = _request("GET", f"{where.web}{path}{ask}", {})
        if code == 200 and isinstance(told, dict) and key in told:
            return kind, where.web + path
    raise ForgeError(
        f"neither a GitHub nor a Gitea or Forgejo answers at {where.web}: name the page of the repository by --forge"
    )


def get(forge: Forge, number: int) -> PullRequest:
    """One pull request. Raises ForgeError if it cannot be had."""
    return _pull(_call(forge, "GET", f"/{number}"))


def find(forge: Forge, owner: str, branch: str) -> PullRequest | None:
    """The pull request from a branch: an open one if there is, else the latest, else None."""
    found: list[PullRequest] = []
    page = 1
    while True:
        # Only GitHub knows "head", and only it calls the limit "per_page".
        ask = (
            f"?state=all&head={owner}:{branch}&limit={PAGE}&per_page={PAGE}&page={page}"
        )
        told = _call(forge, "GET", ask)
        for one in told:
            of = (one["head"].get("repo") or {}).get("owner") or {}
            if one["head"]["ref"] == branch and of.get("login") == owner:
                found.append(_pull(one))
        if len(told) < PAGE:
            break
        page += 1
    return max(found, key=lambda one: (one.state == OPEN, one.number), default=None)


def create(forge: Forge, head: str, into: str, title: str, body: str) -> PullRequest:
    """Open a pull request from ``head`` (BRANCH, or OWNER:BRANCH of a fork) into a branch."""
    told = {"title": title, "head": head, "base": into, "body": body}
    return _pull(_call(forge, "POST", "", told))


def update(forge: Forge, number: int, title: str, body: str) -> PullRequest:
    """Give a pull request another text."""
    return _pull(_call(forge, "PATCH", f"/{number}", {"title": title, "body": body}))


def _call(
    forge: Forge, method: str, rest: str, told: Mapping[str, str] | None = None
) -> Any:
    url = f"{forge.api}/repos/{forge.name}/pulls{rest}"
    code, answer = _request(method, url, forge.auth, told)
    if 200 <= code < 300 and answer is not None:
        return answer
    said = answer.get("message", "") if isinstance(answer, dict) else ""
    more = answer.get("errors") if isinstance(answer, dict) else None
    if isinstance(more, list):
        details = [one.get("message", "") for one in more if isinstance(one, dict)]
        said = "; ".join(filter(None, [said, *details]))
    advice = {
        401: "give a token, see --help",
        403: "see whether the token may do that, and how often",
        404: "see whether the repository is there, and the token may see it",
        429: "wait, and run the command again",
    }.get(code, "put that right, and run the command again")
    what = {"GET": "show", "POST": "open", "PATCH": "change"}[method]
    where = urlsplit(forge.api).netloc
    raise ForgeError(
        f"{where} does not {what} a pull request of {forge.name} ({code} {' '.join(said.split()) or 'without a word'}): {advice}"
    )


def _request(
    method: str,
    url: str,
    auth: Mapping[str, str],
    told: Mapping[str, str] | None = None,
) -> tuple[int, Any]:
    """The status of an answer, and what it holds as JSON, None if it is none."""
    try:
        with requests.Session() as session:
            # A .netrc must not decide who one is.
            session.auth = lambda request: request
            answer = session.request(
                method,
                url,
                json=told,
                headers={"Accept": "application/json", **auth},
                timeout=TIMEOUT,
                allow_redirects=False,
            )
    except requests.RequestException as error:
        host = urlsplit(url).netloc
        raise ForgeError(
            f"{host} cannot be reached ({type(error).__name__}): look at the network, and run the command again"
        ) from error
    try:
        return answer.status_code, answer.json()
    except ValueError:
        return answer.status_code, None


def _pull(told: Mapping[str, Any]) -> PullRequest:
    state = MERGED if told.get("merged_at") else told["state"]
    return PullRequest(
        told["number"], told["html_url"], state, told["title"], told["body"] or ""
    )
