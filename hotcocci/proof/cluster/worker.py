# SPDX-License-Identifier: GPL-2.0
"""What runs in a dask worker: check that it would give the client's results, and compare code."""

from __future__ import annotations

import hashlib
import platform
import socket
import zlib
from collections.abc import Callable, Mapping
from importlib import import_module

from hotcocci.errors import UserError
from hotcocci.findings import Execution
from hotcocci.proof.libraries import libraries
from hotcocci.proof.task import PACKAGE, compare_apart


def identity() -> dict[str, str]:
    """What results depend on besides the code that is compared, by name."""
    digest = hashlib.sha256()
    for file in sorted((PACKAGE / "hotcocci").rglob("*.py")):
        digest.update(f"{file.relative_to(PACKAGE)}\0".encode() + file.read_bytes())
    python = ".".join(platform.python_version_tuple()[:2])
    return {"hotcocci": digest.hexdigest()[:12], "Python": python, **libraries()}


def check(host: str, theirs: Mapping[str, str], ours: Mapping[str, str]) -> None:
    """Raise UserError if a worker would not give the client's results."""
    for name, version in ours.items():
        if theirs.get(name) != version:
            raise UserError(
                f"the worker on {host} has {name} {theirs.get(name)}, and the client has {version}: "
                "install the same version there and restart the worker, or stop it"
            )


def perform(
    packed: bytes, target: str, file: str, ours: Mapping[str, str]
) -> tuple[Execution, ...]:
    """Compare the code of a compiled task, pickled and compressed.

    The child process that does it ends if the client cancels the task. Raises UserError.
    """
    check(socket.gethostname(), identity(), ours)
    return compare_apart(zlib.decompress(packed), target, file, wanted=_wanted())


def _wanted() -> Callable[[], bool]:
    """Whether the client still waits for the task that this thread runs; dask does not stop it."""
    worker = import_module("distributed").get_worker()
    key = worker.get_current_task()

    def wanted() -> bool:
        task = worker.state.tasks.get(key)
        return task is not None and task.state == "executing"

    return wanted
