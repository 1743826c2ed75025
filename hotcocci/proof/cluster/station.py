# SPDX-License-Identifier: GPL-2.0
"""The client's view of a worker: requests, and installing our code, the tree and a build there."""

from __future__ import annotations

import json
import platform
import threading
import time
import uuid
from collections.abc import Callable
from concurrent.futures import CancelledError
from dataclasses import dataclass, field
from typing import Any

from hotcocci.findings import Execution
from hotcocci.proof.cluster import content, sent
from hotcocci.proof.cluster.worker import (
    Json,
    configuration,
    programs,
)
from hotcocci.proof.libraries import libraries
from hotcocci.proof.task import LONGEST, Task, to_json
from hotcocci.records import rebuilt
from hotcocci.tree.build import Build

# Seconds that a request may take. Preparing a build takes longest; a worker that is busy with other
# work for that long is no use.
PATIENCE = 3600.0
# Seconds between checks that a worker is alive.
LOOK = 0.5


class Unfit(Exception):
    """A worker cannot do the work as this machine would; the message says why."""


class Gone(Exception):
    """A worker died or does not answer; ``worker`` is False if the connection was lost."""

    def __init__(self, worker: bool = True) -> None:
        super().__init__()
        self.worker = worker


@dataclass
class Cluster:
    """State shared by all workers: the client, the live workers, our code.

    ``sending`` is held while a tree is sent, so that workers on one machine get one copy.
    """

    client: Any
    killed: type[Exception]
    code: tuple[str, bytes]
    alive: dict[str, int] = field(default_factory=dict)
    sending: threading.Lock = field(default_factory=threading.Lock)


@dataclass
class Station:
    """A worker: its address, the folder of our code there, and its builds.

    ``builds`` has the worker's form of each build, or why there is none. ``ended`` is set by the
    first thread that finds the worker gone. ``suspect`` is the task it retries after another worker
    died with it.
    """

    address: str
    home: str = ""
    host: str = ""
    ended: bool = False
    suspect: Task | None = None
    builds: dict[Build, Json | Unfit] = field(default_factory=dict)
    lock: threading.Lock = field(default_factory=threading.Lock)


def perform(cluster: Cluster, station: Station, task: Task) -> tuple[Execution, ...]:
    """Run a task on a worker.

    Raises Unfit and Gone.
    """
    build = _ready(cluster, station, task.build)
    # Compile commands contain paths of that machine: the worker asks kbuild for them.
    units = [{"file": command.file, "argv": ()} for command in task.commands]
    asked = {
        "request": "perform",
        "task": {**to_json(task), "build": build, "commands": units},
        "tree": str(task.build.tree),
        "out": str(task.build.out),
    }
    # The task has its own limit; at twice that, the worker is busy with something else.
    answer = _request(cluster, station, asked, 2 * LONGEST)
    return tuple(rebuilt(Execution, each) for each in answer["executions"])


def _ready(cluster: Cluster, station: Station, build: Build) -> Json:
    """Return the build on the worker, preparing it if necessary.

    Raises Unfit and Gone.
    """
    with station.lock:
        if build not in station.builds:
            try:
                station.builds[build] = _admitted(cluster, station, build)
            except Unfit as error:
                station.builds[build] = error
        known = station.builds[build]
    if isinstance(known, Unfit):
        raise known
    return known


def _admitted(cluster: Cluster, station: Station, build: Build) -> Json:
    if not station.home:
        station.home = _installed(cluster, station)
    asked = {
        "request": "admit",
        "tree": str(build.tree),
        "out": str(build.out),
        "target": build.target.name,
        "state": content.state(build.tree),
        "name": None,
        "libraries": libraries(),
        "programs": programs(build.target),
        "configuration": configuration(build),
    }
    answer = _request(cluster, station, asked)
    if "name" in answer:
        with cluster.sending:
            asked["name"] = content.name(build.tree)
            answer = _request(cluster, station, asked)
            if "absent" in answer:
                _send(cluster, station, build, answer["absent"])
        if "absent" in answer:
            answer = _request(cluster, station, asked)
    found: Json = answer["build"]
    return found


def _installed(cluster: Cluster, station: Station) -> str:
    """Install our code on the worker's machine if necessary; return its folder."""
    # A function pickled by value only works in the same version of Python.
    theirs = ".".join(ask(cluster, station, platform.python_version).split(".")[:2])
    ours = ".".join(platform.python_version_tuple()[:2])
    if theirs != ours:
        raise Unfit(f"it has Python {theirs}, and the client has {ours}")
    home: str = ask(cluster, station, sent.installer(), *cluster.code)
    return home


def _send(cluster: Cluster, station: Station, build: Build, archive: str) -> None:
    offset = 0
    for chunk in content.packed(build.tree):
        ask(cluster, station, sent.writer(), archive, offset, chunk)
        offset += len(chunk)
    asked = {"request": "receive", "archive": archive, "name": content.name(build.tree)}
    _request(cluster, station, asked)


def _request(
    cluster: Cluster, station: Station, asked: Json, limit: float = PATIENCE
) -> Json:
    """Send a request to our code on the worker's machine and return the answer.

    Raises Unfit and Gone.
    """
    status, out, err = ask(
        cluster, station, sent.starter(), station.home, json.dumps(asked), limit=limit
    )
    if status != 0:
        said = err.strip().splitlines() or [f"it ended with status {status}"]
        raise Unfit(f"our code does not run there: {said[-1]}")
    answer: Json = json.loads(out)
    station.host = answer["host"]
    if "unfit" in answer:
        raise Unfit(answer["unfit"])
    return answer


def ask(
    cluster: Cluster,
    station: Station,
    function: Callable[..., Any],
    *arguments: Any,
    limit: float = PATIENCE,
) -> Any:
    """Call a function on a worker and return its result.

    Raises Unfit if it raises an exception, and Gone.
    """
    future = cluster.client.submit(
        function,
        *arguments,
        key=f"hotcocci-{uuid.uuid4().hex}",
        workers=[station.address],
        pure=False,
    )
    deadline = time.monotonic() + limit
    try:
        while True:
            try:
                return future.result(timeout=LOOK)
            except TimeoutError:
                here = station.address in cluster.alive
                if not here or time.monotonic() > deadline:
                    raise Gone from None
    except cluster.killed as error:
        raise Gone from error
    except CancelledError as error:
        raise Gone(worker=False) from error
    except Gone:
        raise
    except Exception as error:
        if future.status != "error":
            # The call has not failed, but distributed has: 2026.8 ends a wait that it cancels
            # itself, as on a busy machine, in an UnboundLocalError.
            raise Gone(worker=False) from error
        raise Unfit(f"{type(error).__name__}: {error}") from error
    finally:
        future.cancel()
