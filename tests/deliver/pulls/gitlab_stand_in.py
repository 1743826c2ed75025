# SPDX-License-Identifier: GPL-2.0
"""A stand-in for GitLab that implements https://docs.gitlab.com/api/merge_requests/.

Errors follow https://docs.gitlab.com/api/rest/troubleshooting/, with GitLab's own messages. Projects
belong to groups.
"""

from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

from forge_site import Pull, Site, StandIn

NAME = "lamps/kernel/linux"
API = "/api/v4"
LONGEST = 1048576
STATES = {"opened": "open", "closed": "closed", "merged": "merged", "locked": "locked"}


class GitLab(StandIn):
    """The four requests on merge requests, and a project."""

    def answer(self, method: str, path: str, request: Any) -> tuple[int, Any]:
        parts = urlsplit(path)
        if not parts.path.startswith(f"{API}/"):
            return 404, {"message": "404 Not Found"}
        words = parts.path.removeprefix(f"{API}/").split("/")
        if words[0] != "projects" or len(words) < 2:
            return 404, {"message": "404 Not Found"}
        # Project paths must be encoded: /projects/lamps/kernel does not exist.
        name, below = unquote(words[1]), words[2:]
        project = self.number(name)
        if project is None:
            return 404, {"message": "404 Project Not Found"}
        if not below:
            return 200, {"id": project, "path_with_namespace": name}
        if below[0] != "merge_requests":
            return 404, {"message": "404 Not Found"}
        if method == "POST":
            return self.create(project, request)
        if len(below) == 1:
            return self.found(project, parts.query)
        pull = self.world.pulls.get(int(below[1]))
        if pull is None or pull["target_project_id"] != project:
            return 404, {"message": "404 Not found"}
        return self.update(pull, request) if method == "PUT" else (200, pull)

    def number(self, name: str) -> int | None:
        names = [NAME, *self.world.forks]
        return 7 + names.index(name) if name in names else None

    def found(self, project: int, query: str) -> tuple[int, Any]:
        ask = {key: values[0] for key, values in parse_qs(query).items()}
        found = [
            pull
            for pull in sorted(self.world.pulls.values(), key=lambda p: -p["iid"])
            if pull["target_project_id"] == project
            and ask.get("source_branch") in (None, pull["source_branch"])
            and ask.get("state", "all") in ("all", pull["state"])
        ]
        size = min(int(ask.get("per_page", 20)), 100)
        first = (int(ask.get("page", 1)) - 1) * size
        return 200, found[first : first + size]

    def create(self, project: int, request: Any) -> tuple[int, Any]:
        target = request.get("target_project_id", project)
        ends = (project, request["source_branch"], target, request["target_branch"])
        for pull in self.world.pulls.values():
            there = (pull["source_project_id"], pull["source_branch"])
            there += (pull["target_project_id"], pull["target_branch"])
            if there == ends and pull["state"] == "opened":
                error = (
                    "Another open merge request already exists for this source branch"
                )
                return 409, {"message": f"{error}: !{pull['iid']}"}
        iid = len(self.world.pulls) + 1
        pull = {
            "id": 1000 + iid,
            "iid": iid,
            "project_id": target,
            "source_project_id": project,
            "target_project_id": target,
            "source_branch": request["source_branch"],
            "target_branch": request["target_branch"],
            "title": "",
            "description": None,
            "state": "opened",
            "web_url": f"http://127.0.0.1/{NAME}/-/merge_requests/{iid}",
        }
        code, answer = self.update(pull, request)
        if code == 200:
            self.world.pulls[iid] = pull
        return (201 if code == 200 else code), answer

    def update(self, pull: dict[str, Any], request: Any) -> tuple[int, Any]:
        if len(request["description"]) > LONGEST:
            error = f"is too long (maximum is {LONGEST} characters)"
            return 400, {"message": f"description {error}"}
        pull |= {key: request[key] for key in ("title", "description")}
        return 200, pull


class GitLabSite(Site):
    """The stand-in as a site."""

    name, body = NAME, "description"
    merged = {"state": "merged"}

    def pull(self, number: int, pull: dict[str, Any]) -> Pull:
        source = [NAME, *self.world.forks][pull["source_project_id"] - 7]
        return Pull(
            *(number, pull["title"], pull["description"], STATES[pull["state"]]),
            *(source, pull["source_branch"], pull["target_branch"]),
        )
