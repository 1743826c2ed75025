# SPDX-License-Identifier: GPL-2.0
"""What is done on a worker's machine: find or prepare the same build, and run a task in it.

A request is an object of JSON on standard input, the answer one on standard output. "unfit"
in an answer says why this machine cannot do the work.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import socket
import sys
import tempfile
import time
import uuid
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict, replace
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from hotcocci.cache import default_folder
from hotcocci.errors import UserError
from hotcocci.findings import Execution
from hotcocci.proof.cluster import content
from hotcocci.proof.task import build_to_json, from_json, work_apart
from hotcocci.tree.build import READY, Build, prepare, versions
from hotcocci.tree.command import commands
from hotcocci.tree.kernel import is_root
from hotcocci.tree.target import Target
from hotcocci.tree.targets import TARGETS

Json = dict[str, Any]

# Each has a part in what a run shows.
LIBRARIES = ("unicorn", "capstone", "pyelftools", "pyvex", "z3-solver")
# Seconds. What is fetched and not used for as long is removed when more is fetched: every
# change of the client's tree makes another one, of 1.5 GB.
STALE = 86400.0
# Bytes that must be free for temporary files: without, a task fails for no fault of its own.
ROOM = 256 << 20


def libraries() -> dict[str, str]:
    """The versions of the libraries that execute and read code, "no version" for one that is missing."""
    found = {}
    for library in LIBRARIES:
        try:
            found[library] = version(library)
        except PackageNotFoundError:
            found[library] = "no version"
    return found


def programs(target: Target) -> list[str]:
    """What compiler and linker say about themselves. Raises BuildError if there are none."""
    # The first one is make, which leaves nothing of itself in an object.
    return versions(target)[1:]


def configuration(build: Build) -> str:
    """A hash of a build's .config, empty if it has none."""
    file = build.out / ".config"
    return hashlib.sha256(file.read_bytes()).hexdigest() if file.exists() else ""


def admit(asked: Json) -> Json:
    """Make sure that a build here gives the very code that the client's gives.

    The answer is the "build" here, or the "name" that is wanted of the client's tree as it is
    not the one here, or the file to send the "absent" tree to.
    """
    target = TARGETS[asked["target"]]
    client = Build(Path(asked["tree"]), Path(asked["out"]), target, (), ())
    pairs = [
        *((f"{n} {v}", f"{n} {asked['libraries'][n]}") for n, v in libraries().items()),
        *zip(programs(target), asked["programs"], strict=True),
    ]
    for here, there in pairs:
        if here != there:
            return {"unfit": f"it has {here}, and the client has {there}"}
    place = _tree(client.tree, asked)
    if place is None:
        if asked["name"] is None:
            return {"name": "wanted"}
        return {"absent": str(_incoming())}
    # On the same machine, or a disk that both use, the client's build is there already.
    shared = place == client.tree and (client.out.parent / READY).is_file()
    cache = client.out.parents[2] if shared else default_folder()
    build = prepare(place, target, cache)
    if configuration(build) != asked["configuration"]:
        return {
            "unfit": f"kbuild configures the tree in another way there: compare its {build.out}/.config "
            f"with the client's {client.out}/.config"
        }
    return {"build": build_to_json(build)}


def receive(asked: Json) -> Json:
    """Unpack the tree that was sent to a file."""
    archive = Path(asked["archive"])
    try:
        content.unpack(archive, _trees() / asked["name"], asked["name"])
    finally:
        archive.unlink(missing_ok=True)
    return {}


def perform(asked: Json) -> Json:
    """Do a task, whose commands are named by their files alone."""
    room = shutil.disk_usage(tempfile.gettempdir()).free
    if room < ROOM:
        return {"unfit": f"{room >> 20} MB are free in {tempfile.gettempdir()} there"}
    task = from_json(asked["task"])
    if task.build.tree.parent == _trees():
        os.utime(task.build.tree)
    files = [command.file for command in task.commands]
    known = commands(task.build, files)
    missing = [file for file in files if file not in known]
    if missing:
        return {"unfit": f"kbuild has no rule for {', '.join(missing)} there"}
    made = work_apart(replace(task, commands=tuple(known[file] for file in files)))
    return {"executions": [asdict(_renamed(each, task.build, asked)) for each in made]}


def _renamed(execution: Execution, build: Build, asked: Json) -> Execution:
    """What came of a task, with the names of the client's folders instead of ours."""

    def rename(text: str) -> str:
        return text.replace(str(build.out), asked["out"]).replace(
            str(build.tree), asked["tree"]
        )

    return replace(
        execution,
        detail=rename(execution.detail),
        permitted=tuple(map(rename, execution.permitted)),
        traces=tuple(map(rename, execution.traces)),
    )


def _tree(path: Path, asked: Json) -> Path | None:
    """The client's tree as it is here: at its own place, or fetched; None if it is not."""
    if path.is_dir() and content.state(path) == asked["state"]:
        return path
    if asked["name"] is None:
        return None
    kept: Path = _trees() / asked["name"]
    if kept.is_dir():
        return kept
    if is_root(path) and content.name(path) == asked["name"]:
        return path
    return None


def _trees() -> Path:
    return default_folder().resolve() / "trees"


def _incoming() -> Path:
    """A new name for an archive to come."""
    folder = _trees() / "incoming"
    folder.mkdir(parents=True, exist_ok=True)
    for each in (*folder.iterdir(), *_trees().iterdir()):
        if each != folder:
            _forget(each)
    return folder / f"{uuid.uuid4().hex}.tar.gz"


def _forget(path: Path) -> None:
    """Remove what has not been used for long."""
    # Another worker on this machine may do the same.
    with suppress(FileNotFoundError):
        if path.stat().st_mtime > time.time() - STALE:
            return
        if path.is_dir():
            shutil.rmtree(path)
        else:
            path.unlink()


REQUESTS: dict[str, Callable[[Json], Json]] = {
    "admit": admit,
    "receive": receive,
    "perform": perform,
}


def main() -> int:
    """Answer one request."""
    asked = json.load(sys.stdin)
    try:
        answer = REQUESTS[asked["request"]](asked)
    except (UserError, OSError) as error:
        answer = {"unfit": str(error)}
    json.dump({"host": socket.gethostname(), **answer}, sys.stdout)
    return 0


if __name__ == "__main__":
    sys.exit(main())
