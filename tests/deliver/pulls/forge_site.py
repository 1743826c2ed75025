# SPDX-License-Identifier: GPL-2.0
"""What the tests ask of a forge, whichever it is."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Protocol

TOKEN = "secret-of-the-test"


@dataclass(frozen=True)
class Pull:
    """A pull request: its state is open, closed or merged, ``source`` the repository of its branch."""

    number: int
    title: str
    body: str
    state: str
    source: str
    branch: str
    into: str


class Site(Protocol):
    """A forge with a repository; ``options`` are what the command is given about it."""

    name: str
    remote: str
    token: str
    options: tuple[str, ...]

    def pulls(self) -> list[Pull]:
        """All pull requests, the first first."""

    def edit(self, number: int, title: str, body: str) -> None:
        """Give one another text, as people do on its page."""

    def close(self, number: int) -> None:
        """Close one."""

    def merge(self, number: int) -> None:
        """Take one, as its maintainer does."""

    def fork(self, name: str) -> None:
        """Make a fork, which may be called otherwise."""


@dataclass
class Answer:
    """A refusal that a stand-in gives in place of an answer: the text may be other than JSON."""

    code: int
    text: str


@dataclass
class World:
    """What a stand-in has: pull requests by number, as its API shows them."""

    pulls: dict[int, dict[str, Any]] = field(default_factory=dict)
    forks: list[str] = field(default_factory=list)
    # By the method of a request.
    refusals: dict[str, Answer] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)
    tokens: list[str] = field(default_factory=list)
    # Where on its host it lives: /FOLDER.
    folder: str = ""


class StandIn(BaseHTTPRequestHandler):
    """Answers requests in JSON; who inherits says what, by ``answer``."""

    world: World

    def answer(self, method: str, path: str, told: Any) -> tuple[int, Any]:
        """The status and what is told of a request that nothing refuses."""
        raise NotImplementedError

    def take(self) -> None:
        told = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        self.world.asked.append(f"{self.command} {self.path}")
        self.world.tokens += self.headers.get_all("Authorization") or []
        refusal = self.world.refusals.get(self.command)
        if not self.path.startswith(f"{self.world.folder}/"):
            refusal = Answer(404, "Not here")
        if refusal is None:
            asked = json.loads(told) if told else None
            path = self.path.removeprefix(self.world.folder)
            code, answer = self.answer(self.command, path, asked)
            refusal = Answer(code, json.dumps(answer))
        text = refusal.text.encode()
        self.send_response(refusal.code)
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    do_GET = do_POST = do_PATCH = do_PUT = take

    def log_message(self, *_: Any) -> None:
        """Nothing."""


@contextmanager
def served(kind: type[StandIn], world: World) -> Iterator[str]:
    """A stand-in on loopback, and its address."""
    handler = type(kind.__name__, (kind,), {"world": world})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
