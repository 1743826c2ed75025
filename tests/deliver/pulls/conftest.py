# SPDX-License-Identifier: GPL-2.0
"""Two forges on loopback: a Gitea, where one is installed, and a stand-in for GitHub.

The stand-in answers as https://docs.github.com/rest/pulls/pulls says, and its repository is a bare
one on the disk: GitHub cannot be had. What it shows is that our side of that API is as written down.
"""

from __future__ import annotations

import getpass
import json
import os
import shutil
import socket
import subprocess
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
import requests

TOKEN = "secret-of-the-test"
GITEA = os.environ.get("HOTCOCCI_GITEA") or shutil.which("gitea")
SETTINGS = """RUN_USER = {user}
RUN_MODE = prod
[server]
HTTP_ADDR = 127.0.0.1
HTTP_PORT = {port}
ROOT_URL = http://127.0.0.1:{port}/
STATIC_ROOT_PATH = {static}
DISABLE_SSH = true
OFFLINE_MODE = true
[database]
DB_TYPE = sqlite3
PATH = {root}/gitea.db
[repository]
ROOT = {root}/repositories
[security]
INSTALL_LOCK = true
SECRET_KEY = a
[log]
LEVEL = Error
"""


@dataclass
class Site:
    """A forge with a repository ada/linux; ``options`` are what the command is given about it."""

    api: str
    remote: str
    token: str
    options: tuple[str, ...] = ()

    def __call__(self, method: str, rest: str, told: Any = None) -> Any:
        """Ask about a pull request."""
        return self.ask(method, f"/repos/ada/linux/pulls{rest}", told)

    def ask(self, method: str, path: str, told: Any = None) -> Any:
        """Ask about anything, as ada."""
        answer = requests.request(
            method,
            f"{self.api}{path}",
            json=told,
            headers={"Authorization": f"token {self.token}"},
            timeout=60,
        )
        assert answer.ok, answer.text
        return answer.json() if answer.text else None

    def pulls(self) -> list[Any]:
        """All pull requests, the first first."""
        told: list[Any] = self("GET", "?state=all")
        return sorted(told, key=lambda pull: pull["number"])

    def merge(self, number: int) -> None:
        """As its maintainer does."""
        if self.options:
            self("PUT", f"/{number}/merge", {})
            return
        for _ in range(100):
            # Gitea looks for conflicts in the background first.
            if self("GET", f"/{number}")["mergeable"]:
                break
            time.sleep(0.1)
        self("POST", f"/{number}/merge", {"Do": "merge"})


@pytest.fixture(params=["GitHub", "Gitea"])
def site(request: pytest.FixtureRequest) -> Site:
    """Each of the forges."""
    name = {"GitHub": "stand_in", "Gitea": "gitea"}[request.param]
    found: Site = request.getfixturevalue(name)
    return found


@pytest.fixture
def stand_in(
    git: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Site]:
    """What answers as a GitHub of one's own, and a bare repository."""
    bare = tmp_path / "linux.git"
    git("init", "-q", "--bare", "-b", "master", str(bare))
    git("remote", "add", "upstream", str(bare))
    git("push", "-q", "upstream", "master")
    monkeypatch.setenv("GH_ENTERPRISE_TOKEN", TOKEN)
    server = ThreadingHTTPServer(("127.0.0.1", 0), GitHub)
    threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
    GitHub.pulls = {}
    web = f"http://127.0.0.1:{server.server_port}"
    options = ("--forge", f"{web}/ada/linux")
    yield Site(f"{web}/api/v3", str(bare), TOKEN, options)
    server.shutdown()
    server.server_close()


class GitHub(BaseHTTPRequestHandler):
    """The four requests about pull requests, and /meta."""

    pulls: dict[int, dict[str, Any]] = {}
    HOME = "/api/v3/repos/ada/linux/pulls"

    def do_GET(self) -> None:
        parts = urlsplit(self.path)
        if parts.path == "/api/v3/meta":
            self.say(200, {"verifiable_password_authentication": False})
        elif parts.path == self.HOME and self.known():
            ask = parse_qs(parts.query)
            head = ask.get("head", [""])[0]
            found = [p for p in self.pulls.values() if head in ("", p["head"]["label"])]
            self.say(200, found if ask.get("page", ["1"]) == ["1"] else [])
        elif self.number() in self.pulls and self.known():
            self.say(200, self.pulls[self.number()])
        else:
            self.say(404, {"message": "Not Found"})

    def do_POST(self) -> None:
        told = self.told()
        if not self.known():
            self.say(401, {"message": "Bad credentials"})
            return
        label = told["head"] if ":" in told["head"] else f"ada:{told['head']}"
        there = [
            p["head"]["label"] for p in self.pulls.values() if p["state"] == "open"
        ]
        if label in there:
            said = f"A pull request already exists for {label}."
            self.say(
                422, {"message": "Validation Failed", "errors": [{"message": said}]}
            )
            return
        number = len(self.pulls) + 1
        owner, _, ref = label.partition(":")
        self.pulls[number] = {
            "number": number,
            "html_url": f"http://127.0.0.1/ada/linux/pull/{number}",
            "state": "open",
            "title": told["title"],
            "body": told["body"],
            "merged_at": None,
            "head": {"label": label, "ref": ref, "repo": {"owner": {"login": owner}}},
            "base": {"ref": told["base"]},
        }
        self.say(201, self.pulls[number])

    def do_PATCH(self) -> None:
        self.pulls[self.number()] |= self.told()
        self.say(200, self.pulls[self.number()])

    def do_PUT(self) -> None:
        self.told()
        merged = {"state": "closed", "merged_at": "2026-01-01T00:00:00Z"}
        self.pulls[self.number()] |= merged
        self.say(200, {"merged": True})

    def number(self) -> int:
        """The one that is asked about, 0 for none."""
        rest = self.path.removeprefix(f"{self.HOME}/").removesuffix("/merge")
        return int(rest) if rest.isdigit() else 0

    def known(self) -> bool:
        return self.headers.get("Authorization") == f"token {TOKEN}"

    def told(self) -> dict[str, str]:
        length = int(self.headers["Content-Length"])
        told: dict[str, str] = json.loads(self.rfile.read(length))
        return told

    def say(self, code: int, told: Any) -> None:
        text = json.dumps(told).encode()
        self.send_response(code)
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, *_: Any) -> None:
        """Nothing."""


@pytest.fixture
def gitea(git: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Site]:
    """A Gitea of the test's own, with a user and a repository that the clone was pushed to."""
    if GITEA is None:
        pytest.skip(
            "no gitea on PATH or in HOTCOCCI_GITEA: no registry of Debian or PyPI has one"
        )
    root = tmp_path / "gitea"
    root.mkdir()
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    static = os.environ.get("HOTCOCCI_GITEA_STATIC", str(root))
    ini = root / "app.ini"
    ini.write_text(
        SETTINGS.format(user=getpass.getuser(), port=port, static=static, root=root)
    )
    base = [GITEA, "--work-path", str(root), "--config", str(ini)]
    own = {**os.environ, "GITEA_I_AM_BEING_UNSAFE_RUNNING_AS_ROOT": "true"}
    subprocess.run([*base, "migrate"], env=own, check=True, capture_output=True)
    user = ["--username", "ada", "--password", TOKEN, "--email", "ada@lamps.example"]
    made = subprocess.run(
        [
            *base,
            "admin",
            "user",
            "create",
            *user,
            "--must-change-password=false",
            "--admin",
        ]
        + ["--access-token", "--access-token-scopes", "all"],
        env=own,
        check=True,
        capture_output=True,
        text=True,
    )
    token = made.stdout.split()[-1]
    web = f"http://127.0.0.1:{port}"
    with subprocess.Popen(
        [*base, "web"], env=own, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as process:
        try:
            wait_for(f"{web}/api/v1/version")
            site = Site(f"{web}/api/v1", f"{web}/ada/linux.git", token)
            site.ask(
                "POST", "/user/repos", {"name": "linux", "default_branch": "master"}
            )
            # What git pushes with, and whom the API is asked as: the credential helper of git.
            store = tmp_path / "credentials"
            store.write_text(f"http://ada:{token}@127.0.0.1:{port}\n")
            git("config", "--global", "credential.helper", f"store --file={store}")
            git("remote", "add", "upstream", site.remote)
            git("push", "-q", "upstream", "master")
            yield site
        finally:
            process.terminate()


def wait_for(url: str) -> None:
    """Until a server answers."""
    until = time.monotonic() + 60
    while time.monotonic() < until:
        try:
            if requests.get(url, timeout=5).ok:
                return
        except requests.ConnectionError:
            time.sleep(0.1)
    raise AssertionError(f"{url} does not answer")
