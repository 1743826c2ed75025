# SPDX-License-Identifier: GPL-2.0
"""A separate Gitea instance for tests, if Gitea is installed."""

from __future__ import annotations

import getpass
import os
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import requests
from forge_site import TOKEN, Pull

GITEA = os.environ.get("HOTCOCCI_GITEA") or shutil.which("gitea")
NAME = "ada/linux"
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
class GiteaSite:
    """The Gitea as a site, used as ada, an administrator."""

    web: str
    token: str
    name: str = NAME
    options: tuple[str, ...] = ()

    @property
    def remote(self) -> str:
        return f"{self.web}/{NAME}.git"

    def ask(self, method: str, path: str, request: Any = None) -> Any:
        answer = requests.request(
            method,
            f"{self.web}/api/v1{path}",
            json=request,
            headers={"Authorization": f"token {self.token}"},
            timeout=60,
        )
        assert answer.ok, answer.text
        return answer.json() if answer.text else None

    def pulls(self) -> list[Pull]:
        answer = self.ask("GET", f"/repos/{NAME}/pulls?state=all")
        return [
            Pull(
                pull["number"],
                pull["title"],
                pull["body"],
                "merged" if pull["merged"] else pull["state"],
                pull["head"]["repo"]["full_name"],
                pull["head"]["ref"],
                pull["base"]["ref"],
            )
            for pull in sorted(answer, key=lambda pull: pull["number"])
        ]

    def edit(self, number: int, title: str, body: str) -> None:
        request = {"title": title, "body": body}
        self.ask("PATCH", f"/repos/{NAME}/pulls/{number}", request)

    def close(self, number: int) -> None:
        self.ask("PATCH", f"/repos/{NAME}/pulls/{number}", {"state": "closed"})

    def merge(self, number: int) -> None:
        for _ in range(100):
            # Gitea checks for conflicts in the background first.
            if self.ask("GET", f"/repos/{NAME}/pulls/{number}")["mergeable"]:
                break
            time.sleep(0.1)
        self.ask("POST", f"/repos/{NAME}/pulls/{number}/merge", {"Do": "merge"})

    def fork(self, name: str) -> None:
        owner, _, own = name.partition("/")
        person = {"username": owner, "email": f"{owner}@lamps.example"}
        request = {**person, "password": "bobs-secret", "must_change_password": False}
        self.ask("POST", "/admin/users", request)
        self.ask("POST", f"/repos/{NAME}/forks?sudo={owner}", {"name": own})


@contextmanager
def started(root: Path) -> Iterator[GiteaSite]:
    """Start a Gitea with a user and an empty repository."""
    assert GITEA is not None
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
    flags = ["--must-change-password=false", "--admin"]
    flags += ["--access-token", "--access-token-scopes", "all"]
    created = subprocess.run(
        [*base, "admin", "user", "create", *user, *flags],
        env=own,
        check=True,
        capture_output=True,
        text=True,
    )
    token = created.stdout.split()[-1]
    web = f"http://127.0.0.1:{port}"
    with subprocess.Popen(
        [*base, "web"], env=own, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as process:
        try:
            _wait_for(f"{web}/api/v1/version")
            site = GiteaSite(web, token)
            request = {"name": "linux", "default_branch": "master"}
            site.ask("POST", "/user/repos", request)
            yield site
        finally:
            process.terminate()


def _wait_for(url: str) -> None:
    """Wait until a server answers."""
    until = time.monotonic() + 60
    while time.monotonic() < until:
        try:
            if requests.get(url, timeout=5).ok:
                return
        except requests.ConnectionError:
            time.sleep(0.1)
    raise AssertionError(f"{url} does not answer")
