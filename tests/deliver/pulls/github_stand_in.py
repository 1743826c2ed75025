# SPDX-License-Identifier: GPL-2.0
"""A stand-in for GitHub that implements https://docs.github.com/rest/pulls/pulls.

The tests cannot use GitHub itself. They show that our client follows its documentation.
"""

from typing import Any
from urllib.parse import parse_qs, urlsplit

from forge_site import Pull, Site, StandIn

NAME = "ada/linux"
HOME = f"/api/v3/repos/{NAME}/pulls"


class GitHub(StandIn):
    """The four requests on pull requests."""

    def answer(self, method: str, path: str, request: Any) -> tuple[int, Any]:
        parts = urlsplit(path)
        if parts.path == HOME:
            return self.create(request) if method == "POST" else self.found(parts.query)
        number = path.removeprefix(f"{HOME}/")
        pull = self.world.pulls.get(int(number) if number.isdigit() else 0)
        if pull is None:
            return 404, {"message": "Not Found"}
        if method == "PATCH":
            pull |= request
        return 200, pull

    def found(self, query: str) -> tuple[int, Any]:
        ask = parse_qs(query)
        head = ask.get("head", [""])[0]
        pulls = self.world.pulls.values()
        found = [pull for pull in pulls if head in ("", pull["head"]["label"])]
        return 200, found if ask.get("page", ["1"]) == ["1"] else []

    def create(self, request: Any) -> tuple[int, Any]:
        owner, _, ref = request["head"].rpartition(":")
        name = self.source(owner, request.get("head_repo", ""))
        label = f"{owner or 'ada'}:{ref}"
        errors = "" if name else "head invalid"
        for pull in self.world.pulls.values():
            head = pull["head"]
            ends = (head["repo"]["full_name"], head["ref"])
            if pull["state"] == "open" and ends == (name, ref):
                errors = f"A pull request already exists for {label}."
        if errors:
            said = [{"message": errors}]
            return 422, {"message": "Validation Failed", "errors": said}
        number = len(self.world.pulls) + 1
        self.world.pulls[number] = {
            "number": number,
            "html_url": f"http://127.0.0.1/{NAME}/pull/{number}",
            "state": "open",
            "title": request["title"],
            "body": request["body"],
            "merged_at": None,
            "head": {"label": label, "ref": ref, "repo": {"full_name": name}},
            "base": {"ref": request["base"]},
        }
        return 201, self.world.pulls[number]

    def source(self, owner: str, name: str) -> str:
        """Find the repository of a head: the owner's only fork, or the one named."""
        if owner in ("", "ada") and not name:
            return NAME
        forks = [fork for fork in self.world.forks if fork.startswith(f"{owner}/")]
        named = [fork for fork in forks if name in ("", fork.partition("/")[2])]
        return named[0] if len(named) == 1 else ""


class GitHubSite(Site):
    """The stand-in as a site."""

    name, body = NAME, "body"
    merged = {"state": "closed", "merged_at": "2026-01-01T00:00:00Z"}

    def pull(self, number: int, pull: dict[str, Any]) -> Pull:
        head = pull["head"]
        return Pull(
            *(number, pull["title"], pull["body"]),
            "merged" if pull["merged_at"] else pull["state"],
            *(head["repo"]["full_name"], head["ref"], pull["base"]["ref"]),
        )
