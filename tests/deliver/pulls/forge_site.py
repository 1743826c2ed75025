# SPDX-License-Identifier: GPL-2.0
"""What the tests need from a forge, whichever it is."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, ClassVar


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


@dataclass
class Answer:
    """An error to return instead of an answer."""

    code: int
    message: str


@dataclass
class World:
    """State of a stand-in: pull requests by number, as its API shows them.

    ``login`` is the program that has a login for it, empty for none.
    """

    login: str
    pulls: dict[int, dict[str, Any]] = field(default_factory=dict)
    forks: list[str] = field(default_factory=list)
    # Keyed by request method.
    refusals: dict[str, Answer] = field(default_factory=dict)
    requests: list[str] = field(default_factory=list)


@dataclass
class Site:
    """A forge with a repository; ``options`` describe it on the command line."""

    web: str
    remote: str
    world: World
    name: ClassVar[str]
    # What its API calls the body of a pull request
    body: ClassVar[str]
    closed: ClassVar[dict[str, Any]] = {"state": "closed"}
    merged: ClassVar[dict[str, Any]]

    @property
    def options(self) -> tuple[str, str]:
        return ("--forge", f"{self.web}/{self.name}")

    def pulls(self) -> list[Pull]:
        """List all pull requests, oldest first."""
        return [self.pull(n, pull) for n, pull in sorted(self.world.pulls.items())]

    def pull(self, number: int, pull: dict[str, Any]) -> Pull:
        """One of them, as its API shows it."""
        raise NotImplementedError

    def edit(self, number: int, title: str, body: str) -> None:
        """Change title and body, as users do on the web page."""
        self.world.pulls[number] |= {"title": title, self.body: body}

    def close(self, number: int) -> None:
        """Close a pull request."""
        self.world.pulls[number] |= self.closed

    def merge(self, number: int) -> None:
        """Merge a pull request, as a maintainer does."""
        self.world.pulls[number] |= self.merged

    def fork(self, name: str) -> None:
        """Fork the repository under a name of its own."""
        self.world.forks.append(name)


class StandIn(BaseHTTPRequestHandler):
    """Answers requests in JSON; subclasses implement ``answer``."""

    world: World

    def answer(self, method: str, path: str, request: Any) -> tuple[int, Any]:
        """Return status and body for a request that is not refused."""
        raise NotImplementedError

    def take(self) -> None:
        request = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        self.world.requests.append(f"{self.command} {self.path}")
        refusal = self.world.refusals.get(self.command)
        if not self.world.login:
            refusal = Answer(401, "Bad credentials")
        if refusal is not None:
            code, answer = refusal.code, {"message": refusal.message}
        elif self.path.startswith("/login/"):
            code = 200 if self.path == f"/login/{self.world.login}" else 404
            answer = {"message": "no login"}
        else:
            data = json.loads(request) if request else None
            code, answer = self.answer(self.command, self.path, data)
        text = json.dumps(answer).encode()
        self.send_response(code)
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    do_GET = do_POST = do_PATCH = do_PUT = take

    def log_message(self, *_: Any) -> None:
        """Log nothing."""


@contextmanager
def served(kind: type[StandIn], world: World) -> Iterator[str]:
    """Serve a stand-in on loopback; yields its address."""
    handler = type(kind.__name__, (kind,), {"world": world})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
