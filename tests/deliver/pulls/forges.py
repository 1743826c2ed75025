# SPDX-License-Identifier: GPL-2.0
"""Stand-ins for GitHub and GitLab behind gh and glab, which have their state in a file.

The tests cannot use the forges. They show that our client follows https://docs.github.com/rest/pulls/pulls,
https://docs.gitlab.com/api/merge_requests/ and .../api/rest/troubleshooting/. Options and messages of the programs
are those of gh 2.23, as it was run, and of glab 1.22 (commands/api/api.go).
"""

import argparse
import json
import sys
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar
from urllib.parse import parse_qs, unquote, urlsplit

HOST = "forge.example:8443"
State = dict[str, Any]


@dataclass(frozen=True)
class Pull:
    """A pull request: ``state`` is open, closed or merged, ``source`` the repository of its branch."""

    number: int
    title: str
    body: str
    state: str
    source: str
    branch: str
    into: str


@dataclass(frozen=True)
class Site:
    """A forge with a repository, whose bare clone is ``remote``: the file of its state, and what users do there.

    The state has the program with a login, empty for none; the pull requests as the API shows them; names of forks;
    and by method a status and a message to refuse requests with.
    """

    file: Path
    remote: str
    web: ClassVar[str] = f"https://{HOST}"
    # Its repository, its program, and what its API calls the body of a pull request
    name: ClassVar[str]
    program: ClassVar[str]
    body: ClassVar[str]
    merged: ClassVar[State]

    def __post_init__(self):
        empty = {"login": self.program, "pulls": [], "forks": [], "refusals": {}}
        self.file.write_text(json.dumps(empty))

    @property
    def options(self):
        """What describes it on the command line."""
        return ("--forge", f"{self.web}/{self.name}")

    @contextmanager
    def state(self):
        """Look at the state, and change it."""
        state = json.loads(self.file.read_text())
        yield state
        self.file.write_text(json.dumps(state))

    def pulls(self):
        """List all pull requests, oldest first."""
        with self.state() as state:
            return [self.pull(each, state) for each in state["pulls"]]

    def pull(self, pull, state):
        """One of them."""
        raise NotImplementedError

    def edit(self, number, **changes):
        """Change a pull request, as its API shows it."""
        with self.state() as state:
            state["pulls"][number - 1] |= changes


def page(found, ask):
    """The part of a list that is asked for."""
    size = int(ask["per_page"])
    return found[size * (int(ask["page"]) - 1) :][:size]


class GitHub(Site):
    """The four requests on pull requests."""

    name, program, body = "ada/linux", "gh", "body"
    merged = {"state": "closed", "merged_at": "2026-01-01T00:00:00Z"}

    def pull(self, pull, state):
        head = pull["head"]
        return Pull(
            *(pull["number"], pull["title"], pull["body"]),
            "merged" if pull["merged_at"] else pull["state"],
            *(head["repo"]["full_name"], head["ref"], pull["base"]["ref"]),
        )


def github(state, method, path, ask, data):
    """Status and answer."""
    if path[:4] != ["repos", *GitHub.name.split("/"), "pulls"]:
        return 404, "Not Found"
    if len(path) > 4:
        pull = state["pulls"][int(path[4]) - 1]
        pull |= data or {}
        return 200, pull
    if method == "GET":
        found = [p for p in state["pulls"] if ask["head"] == p["head"]["label"]]
        return 200, page(found, ask)
    owner, _, ref = data["head"].rpartition(":")
    # The owner's only fork, or the one named
    named = f"{owner}/{data.get('head_repo', '')}"
    forks = [fork for fork in state["forks"] if fork.startswith(named)]
    if owner in ("", "ada") and "head_repo" not in data:
        forks = [GitHub.name]
    label = f"{owner or 'ada'}:{ref}"
    errors = "" if len(forks) == 1 else "head invalid"
    for pull in state["pulls"]:
        ends = (pull["head"]["repo"]["full_name"], pull["head"]["ref"])
        if pull["state"] == "open" and [ends] == [(name, ref) for name in forks]:
            errors = f"A pull request already exists for {label}."
    if errors:
        return 422, {"message": "Validation Failed", "errors": [{"message": errors}]}
    number = len(state["pulls"]) + 1
    pull = {
        **{"number": number, "title": data["title"], "body": data["body"]},
        **{"html_url": f"{Site.web}/{GitHub.name}/pull/{number}", "state": "open"},
        "head": {"label": label, "ref": ref, "repo": {"full_name": forks[0]}},
        **{"base": {"ref": data["base"]}, "merged_at": None},
    }
    state["pulls"].append(pull)
    return 201, pull


class GitLab(Site):
    """The four requests on merge requests, and a project. Projects belong to groups."""

    name, program, body = "lamps/kernel/linux", "glab", "description"
    merged = {"state": "merged"}

    def pull(self, pull, state):
        source = [self.name, *state["forks"]][pull["source_project_id"]]
        return Pull(
            *(pull["iid"], pull["title"], pull["description"]),
            pull["state"].replace("opened", "open"),
            *(source, pull["source_branch"], pull["target_branch"]),
        )


def gitlab(state, method, path, ask, data):
    """Status and answer."""
    names = [GitLab.name, *state["forks"]]
    # Project paths must be encoded: /projects/lamps/kernel does not exist.
    if path[0] != "projects" or unquote(path[1]) not in names:
        return 404, "404 Project Not Found"
    project, below = names.index(unquote(path[1])), path[2:]
    if not below:
        return 200, {"id": project}
    if len(below) > 1:
        pull = state["pulls"][int(below[1]) - 1]
        if pull["target_project_id"] != project:
            return 404, "404 Not found"
        pull |= data or {}
        return 200, pull
    if method == "GET":
        branch = ask["source_branch"]
        found = [
            each
            for each in reversed(state["pulls"])
            if (each["target_project_id"], each["source_branch"]) == (project, branch)
        ]
        return 200, page(found, ask)
    pull = {"source_project_id": project, "target_project_id": project, **data}
    ends = ("source_project_id", "source_branch", "target_project_id", "target_branch")
    for each in state["pulls"]:
        if each["state"] == "opened" and all(each[end] == pull[end] for end in ends):
            error = "Another open merge request already exists for this source branch"
            return 409, f"{error}: !{each['iid']}"
    iid = len(state["pulls"]) + 1
    web = f"{Site.web}/{GitLab.name}/-/merge_requests/{iid}"
    pull |= {"iid": iid, "state": "opened", "web_url": web}
    state["pulls"].append(pull)
    return 201, pull


def main(file):
    """What gh and glab do, by the name that they are called by."""
    name = Path(sys.argv[0]).name
    parser = argparse.ArgumentParser()
    commands = parser.add_subparsers(required=True, dest="command")
    api = commands.add_parser("api")
    api.add_argument("path")
    for flag in ("method", "input", "header"):
        api.add_argument(f"--{flag}")
    auth = commands.add_parser("auth")
    auth.add_argument("what", choices=["status"])
    for each in (api, auth):
        each.add_argument("--hostname", required=True)
    given = parser.parse_args()
    # A repository may have a configuration of glab.
    assert Path.cwd() == Path("/")
    state = json.loads(Path(file).read_text()) if Path(file).exists() else {}
    is_known = given.hostname == HOST and state.get("login") == name
    if given.command == "auth":
        return 0 if is_known else 1
    data = json.load(sys.stdin) if given.input == "-" else None
    assert (data is None) == (given.header is None)
    parts = urlsplit(given.path)
    ask = {key: values[0] for key, values in parse_qs(parts.query).items()}
    answer = {"gh": github, "glab": gitlab}[name]
    refused = state["refusals"].get(given.method)
    path = parts.path.strip("/").split("/")
    code, said = refused or answer(state, given.method, path, ask, data)
    Path(file).write_text(json.dumps(state))
    said = {"message": said} if isinstance(said, str) else said
    print(json.dumps(said))
    if code < 400:
        return 0
    print(f"{name}: {said['message']} (HTTP {code})", file=sys.stderr)
    return 1
