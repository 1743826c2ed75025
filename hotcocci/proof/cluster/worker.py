# SPDX-License-Identifier: GPL-2.0
"""The worker's side: find or prepare the same build, and run a task in it.

A request is a JSON object on stdin, the answer one on stdout. "unfit" in an answer says why this
machine cannot do the work.
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
from pathlib import Path
from typing import Any

from hotcocci.cache import default_folder
from hotcocci.errors import UserError
from hotcocci.findings import Execution
from hotcocci.proof.cluster import content
from hotcocci.proof.libraries import libraries
from hotcocci.proof.task import build_to_json, from_json, work_apart
from hotcocci.tree.build import READY, Build, prepare, versions
from hotcocci.tree.command import commands
from hotcocci.tree.kernel import is_root
from hotcocci.tree.source import read
from hotcocci.tree.target import Target
from hotcocci.tree.targets import TARGETS

Json = dict[str, Any]

# Seconds. Fetched trees that were not used for this long are removed when another arrives: each
# change of the client's tree makes another one, of 1.5 GB.
STALE = 86400.0
# Bytes of temporary space below which tasks would fail for lack of room.
ROOM = 256 << 20


def programs(target: Target) -> list[str]:
    """The version strings of compiler and linker.

    Raises BuildError if one is missing.
    """
    # The first is make, which does not affect objects.
    return versions(target)[1:]


def configuration(build: Build) -> str:
    """A hash of a build's .config, empty if it has none."""
    file = build.out / ".config"
    return hashlib.sha256(read(file)).hexdigest() if file.exists() else ""


def admit(asked: Json) -> Json:
    """Check that a build here gives the same code as the client's, and prepare it.

    The answer has the "build" here; or "name", to ask for the name of the client's tree because
    there is none with its state; or "absent", the file to send the tree to.
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
    # On the same machine or a shared disk the client's build is already there.
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
    """Unpack the tree that was sent."""
    archive = Path(asked["archive"])
    try:
        content.unpack(archive, _trees() / asked["name"], asked["name"])
    finally:
        archive.unlink(missing_ok=True)
    return {}


def perform(asked: Json) -> Json:
    """Run a task whose commands are given by file only."""
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
    """A result with paths of this machine replaced by the client's."""

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
    """The client's tree on this machine, in place or fetched; None if it is not here."""
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
    """A new file name for an archive that will be sent."""
    folder = _trees() / "incoming"
    folder.mkdir(parents=True, exist_ok=True)
    for each in (*folder.iterdir(), *_trees().iterdir()):
        if each != folder:
            _forget(each)
    return folder / f"{uuid.uuid4().hex}.tar.gz"


def _forget(path: Path) -> None:
    """Remove a file or tree that was not used for STALE seconds."""
    # Another worker on this machine may remove it too.
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
