# SPDX-License-Identifier: GPL-2.0
"""Forges: which one the URL of a remote names, and its pull requests.

Requests to its REST API are sent by its own program, gh or glab, which the user has logged in. To add a
kind, add a subclass of Forge to ``KINDS``.
"""

import json
import os
import re
import shutil
import subprocess
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar
from urllib.parse import quote, urlencode, urlsplit

from hotcocci.errors import UserError
from hotcocci.layout import PROGRAM

OPEN = "open"
CLOSED = "closed"
MERGED = "merged"
MERGING = "merging"
# Seconds: a forge checks a new pull request for conflicts.
TIMEOUT = 300.0
# Pull requests per page: the largest number that all forges allow.
PAGE = 50
ADVICE = {
    "401": "log in again with '{program} auth login --hostname {host}'",
    "403": "check the permissions of {program}'s login and its rate limit",
    "404": "check that the repository exists and that {program}'s login has access to it",
    "409": "run the command again to update the existing one",
    "429": "wait, then run the command again",
}
WHAT = {"GET": "show", "POST": "open", "PATCH": "update", "PUT": "update"}
_CODE = re.compile(r"\(?HTTP (\d{3})\)?")
_SCP = re.compile(r"(?:[^@/]+@)?([^:/]+):(?!//)(.+)")


@dataclass(frozen=True)
class Place:
    """A repository on the web: its host (https://HOST) and its path there."""

    web: str
    path: str


@dataclass(frozen=True)
class Source:
    """The source of a pull request: a branch and its repository."""

    name: str
    branch: str


@dataclass(frozen=True)
class PullRequest:
    """A pull request as the forge has it; ``into`` is its target branch.

    ``state`` is OPEN, CLOSED, MERGED or, for a moment, MERGING.
    """

    number: int
    url: str
    state: str
    into: str
    title: str
    body: str


@dataclass(frozen=True)
class Forge(ABC):
    """A target repository of pull requests: the root of the forge's pages (https://HOST), its name there.

    All requests raise UserError if they fail.
    """

    web: str
    name: str

    # The name to show, the public host (https://HOST), and the program that sends the requests
    NAME: ClassVar[str]
    HOME: ClassVar[str]
    PROGRAM: ClassVar[str]
    # Whether a name may have more than two parts (GROUP/SUBGROUP/NAME)
    NESTED: ClassVar[bool]
    # The limit on characters of a pull request's text, its name there, and the method that changes it
    LONGEST: ClassVar[int]
    BODY: ClassVar[str]
    UPDATE: ClassVar[str]

    @property
    def host(self) -> str:
        """The host, with its port."""
        return urlsplit(self.web).netloc

    @abstractmethod
    def found(self, source: Source) -> list[PullRequest]:
        """Read the pull requests from a branch; other forks may have a branch of that name."""

    @abstractmethod
    def create(self, source: Source, into: str, title: str, body: str) -> PullRequest:
        """Open a pull request from a pushed branch, of this repository or of a fork."""

    @staticmethod
    @abstractmethod
    def _path(name: str) -> str:
        """The path of the pull requests of a repository."""

    @staticmethod
    @abstractmethod
    def _pull(answer: Mapping[str, Any]) -> PullRequest:
        """A pull request from the forge's answer."""

    def get(self, number: int) -> PullRequest:
        """Read a pull request."""
        return self._pull(self._call("GET", f"{self._path(self.name)}/{number}"))

    def update(self, number: int, title: str, body: str) -> PullRequest:
        """Update title and body of a pull request."""
        path = f"{self._path(self.name)}/{number}"
        return self._pull(
            self._call(self.UPDATE, path, {"title": title, self.BODY: body})
        )

    def find(self, source: Source) -> PullRequest | None:
        """Find the pull request from a branch: an open one, else the latest, else None."""
        several = self.found(source)
        return max(several, key=lambda p: (p.state == OPEN, p.number), default=None)

    def name_at(self, where: Place) -> str:
        """Return a repository's name on this forge."""
        path = where.path
        name = path if self.NESTED else "/".join(path.split("/")[-2:])
        return self.name if is_same(name, self.name) else name

    def is_logged_in(self) -> bool:
        """Whether the program has a login for the host. Raises UserError if it is missing."""
        return self._run(["auth", "status", "--hostname", self.host]).returncode == 0

    def check_login(self) -> None:
        """Raise UserError if pull requests cannot be opened for lack of a login."""
        if not self.is_logged_in():
            raise UserError(
                f"{self.PROGRAM} has no login for {self.host}: "
                f"run '{self.PROGRAM} auth login --hostname {self.host}'"
            )

    def _call(
        self, method: str, path: str, data: Mapping[str, Any] | None = None
    ) -> Any:
        """Send a request about pull requests; the program's message is in the error."""
        program, host = self.PROGRAM, self.host
        argv = ["api", "--hostname", host, "--method", method, path]
        if data is not None:
            argv += ["--input", "-", "--header", "Content-Type: application/json"]
        ran = self._run(argv, "" if data is None else json.dumps(data))
        if ran.returncode == 0:
            return json.loads(ran.stdout)
        said = ran.stderr.removeprefix(f"{program}: ").split() + _details(ran.stdout)
        code = _CODE.search(ran.stderr)
        advice = ADVICE.get(
            code[1] if code else "", "fix this, then run the command again"
        )
        raise UserError(
            f"{host} failed to {WHAT[method]} a pull request of {self.name} "
            f"({' '.join(said) or 'no error message'}): {advice.format(program=program, host=host)}"
        )

    def _listed(self, path: str, ask: Mapping[str, Any]) -> list[Any]:
        """Read all pages of a list."""
        found: list[Any] = []
        page = 1
        while True:
            words = urlencode({**ask, "per_page": PAGE, "page": page})
            part = self._call("GET", f"{path}?{words}")
            found += part
            if len(part) < PAGE:
                return found
            page += 1

    def _run(
        self, arguments: list[str], stdin: str = ""
    ) -> subprocess.CompletedProcess[str]:
        """Run the program with the user's whole environment, which may have a token.

        Not in the tree: glab reads the configuration of a repository that it is called in.
        """
        try:
            return subprocess.run(
                [self.PROGRAM, *arguments],
                cwd="/",
                env={**os.environ, "NO_COLOR": "1", "NO_PROMPT": "1", "PAGER": "cat"},
                input=stdin,
                capture_output=True,
                text=True,
                errors="replace",
                timeout=TIMEOUT,
                check=False,
            )
        except FileNotFoundError as error:
            raise UserError(
                f"{self.NAME} needs {self.PROGRAM}, which is not installed: run '{PROGRAM} doctor'"
            ) from error
        except subprocess.TimeoutExpired as error:
            raise UserError(
                f"{self.PROGRAM} took longer than {TIMEOUT:.0f} s: check the network, then run the command again"
            ) from error


class GitHub(Forge):
    """GitHub, and GitHub Enterprise Server: https://docs.github.com/rest/pulls/pulls."""

    NAME = "GitHub"
    HOME = "https://github.com"
    PROGRAM = "gh"
    NESTED = False
    # Undocumented, but GitHub's error for a longer text says so:
    # https://github.com/renovatebot/renovate/issues/2032
    LONGEST = 65536
    BODY = "body"
    UPDATE = "PATCH"

    def found(self, source: Source) -> list[PullRequest]:
        owner = source.name.partition("/")[0]
        ask = {"state": "all", "head": f"{owner}:{source.branch}"}
        return [
            self._pull(one)
            for one in self._listed(self._path(self.name), ask)
            if one["head"]["ref"] == source.branch
            # A deleted fork has no "repo".
            and is_same(
                (one["head"].get("repo") or {}).get("full_name", ""), source.name
            )
        ]

    def create(self, source: Source, into: str, title: str, body: str) -> PullRequest:
        data = {"title": title, "head": source.branch, "base": into, "body": body}
        if not is_same(source.name, self.name):
            owner, _, name = source.name.partition("/")
            data["head"] = f"{owner}:{source.branch}"
            if is_same(owner, self.name.partition("/")[0]):
                # The owner has both repositories, so name the fork.
                data["head_repo"] = name
        return self._pull(self._call("POST", self._path(self.name), data))

    @staticmethod
    def _path(name: str) -> str:
        return f"/repos/{name}/pulls"

    @staticmethod
    def _pull(answer: Mapping[str, Any]) -> PullRequest:
        state = MERGED if answer.get("merged_at") else answer["state"]
        into, body = answer["base"]["ref"], answer["body"] or ""
        url = answer["html_url"]
        return PullRequest(answer["number"], url, state, into, answer["title"], body)


class GitLab(Forge):
    """GitLab, whose pull requests are merge requests: https://docs.gitlab.com/api/merge_requests/."""

    NAME = "GitLab"
    HOME = "https://gitlab.com"
    PROGRAM = "glab"
    NESTED = True
    # https://docs.gitlab.com/development/issuable-like-models/
    LONGEST = 1 << 20
    BODY = "description"
    UPDATE = "PUT"
    STATES: ClassVar = {
        "opened": OPEN,
        "closed": CLOSED,
        "merged": MERGED,
        "locked": MERGING,
    }

    def found(self, source: Source) -> list[PullRequest]:
        project = self._id(source.name)
        ask = {"state": "all", "source_branch": source.branch}
        several = self._listed(self._path(self.name), ask)
        return [self._pull(x) for x in several if x["source_project_id"] == project]

    def create(self, source: Source, into: str, title: str, body: str) -> PullRequest:
        """Open a merge request; the API is that of the source project."""
        data: dict[str, str | int] = {
            "source_branch": source.branch,
            "target_branch": into,
            "title": title,
            "description": body,
        }
        if not is_same(source.name, self.name):
            data["target_project_id"] = self._id(self.name)
        return self._pull(self._call("POST", self._path(source.name), data))

    def _id(self, name: str) -> int:
        """Return the numeric id of a project, which merge requests across projects need."""
        number: int = replace(self, name=name)._call("GET", _project(name))["id"]
        return number

    @staticmethod
    def _path(name: str) -> str:
        return f"{_project(name)}/merge_requests"

    @staticmethod
    def _pull(answer: Mapping[str, Any]) -> PullRequest:
        return PullRequest(
            answer["iid"],
            answer["web_url"],
            GitLab.STATES[answer["state"]],
            answer["target_branch"],
            answer["title"],
            answer["description"] or "",
        )


KINDS: tuple[type[Forge], ...] = (GitHub, GitLab)


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
    """Find the forge on a host. Raises UserError if it is not of a known kind."""
    every = [kind(where.web, where.path) for kind in KINDS]
    known = [one for one in every if one.HOME == where.web] or [
        one for one in every if shutil.which(one.PROGRAM) and one.is_logged_in()
    ]
    if not known:
        host = every[0].host
        logins = " or ".join(
            f"'{one.PROGRAM} auth login --hostname {host}' ({one.NAME})"
            for one in every
        )
        raise UserError(
            f"no login for {host}: run {logins}, or name the page of another repository with --forge"
        )
    if where.path.count("/") > 1 and not known[0].NESTED:
        raise UserError(
            f"{where.web}/{where.path} is not a repository on {known[0].NAME}: name its page with --forge"
        )
    return known[0]


def is_same(name: str, other: str) -> bool:
    """Whether two names are of the same repository: forges ignore case."""
    return name.casefold() == other.casefold()


def _details(answer: str) -> list[str]:
    """The words of the messages below "errors" in GitHub's answer; gh prints only the one above."""
    try:
        return [
            word
            for each in json.loads(answer)["errors"]
            for word in each["message"].split()
        ]
    except (ValueError, LookupError, TypeError):
        return []


def _project(name: str) -> str:
    # https://docs.gitlab.com/api/rest/#namespaced-paths
    return f"/projects/{quote(name, safe='')}"
