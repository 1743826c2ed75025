# SPDX-License-Identifier: GPL-2.0
"""Compare code on the workers of a scheduler, which may come and go.

The code is compiled here, and only objects are sent. dask.distributed does the rest: it gives each
task to a worker, and to another one if that dies. A scheduler on another machine needs TLS.
"""

import asyncio
import hashlib
import ipaddress
import logging
import pickle
import platform
import queue
import socket
import time
import warnings
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from typing import Any

from hotcocci.errors import AGAIN, UserError
from hotcocci.findings import NOT_PROVEN, Execution
from hotcocci.layout import setup_hint
from hotcocci.proof.task import PACKAGE, Task, compare_apart, libraries

Outcome = tuple[Task, tuple[Execution, ...]]
# What a worker is asked: text, because one without hotcocci, or with another Python, dies of what it
# cannot unpickle.
IDENTITY = f"__import__({__name__!r}, fromlist=['']).identity()"
PERFORM = f"__import__({__name__!r}, fromlist=['']).perform(*given)"
# The tasks that have ended, each with dask's future, or with ours if it could not be sent.
Ended = queue.SimpleQueue[tuple[Task, Any]]
# Seconds to connect
CONNECT = 5.0
ENCRYPTED = ("tls", "wss")


def identity() -> dict[str, str]:
    """The versions and settings that results depend on besides the compared code, by name."""
    digest = hashlib.sha256()
    files = (PACKAGE / "hotcocci").rglob("*.*")
    for file in sorted(f for f in files if f.suffix in (".py", ".toml", ".h")):
        digest.update(f"{file.relative_to(PACKAGE)}\0".encode() + file.read_bytes())
    python = ".".join(platform.python_version_tuple()[:2])
    return {"hotcocci": digest.hexdigest()[:12], "Python": python, **libraries()}


def _require_alike(
    host: str, theirs: Mapping[str, str], ours: Mapping[str, str]
) -> None:
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
    _require_alike(socket.gethostname(), identity(), ours)
    return compare_apart(zlib.decompress(packed), target, file, wanted=_wanted())


def _wanted() -> Callable[[], bool]:
    """Whether the client still waits for the task that this thread runs; dask does not stop it."""
    worker = import_module("distributed").get_worker()
    key = worker.get_current_task()

    def wanted() -> bool:
        task = worker.state.tasks.get(key)
        return task is not None and task.state == "executing"

    return wanted


@dataclass(frozen=True)
class Patience:
    """Limits in seconds: for a busy scheduler to answer, and for a worker to come.

    A nanny restarts a worker within ten.
    """

    answer: float = 30.0
    alone: float = 60.0


def check(address: str, insecure: bool = False) -> None:
    """Check that a scheduler answers, and that its workers would give the results of this machine.

    Raises UserError if not, or if dask is not installed.
    """
    with connected(address, insecure) as client:
        ours = identity()
        for where, theirs in client.run(eval, IDENTITY, on_error="return").items():
            if isinstance(theirs, Exception):
                raise _unfit(where, theirs)
            _require_alike(where, theirs, ours)


def run_all(
    tasks: Sequence[Task],
    address: str,
    jobs: int,
    insecure: bool = False,
    patience: Patience = Patience(),
) -> Iterator[Outcome]:
    """Yield each task with its results as it completes; ``jobs`` files are compiled at a time.

    Raises UserError if the scheduler or all workers are lost, or if a worker would not give the
    results of this machine; results yielded before are complete.
    """
    if not tasks:
        return
    # It needs libraries that commands without proofs lack.
    from hotcocci.proof.compiled_task import compiled_task

    ours = identity()
    ended: Ended = queue.SimpleQueue()
    with connected(address, insecure) as client, ThreadPoolExecutor(jobs) as pool:

        def send(task: Task) -> None:
            packed = zlib.compress(pickle.dumps(compiled_task(task)), 1)
            given = (packed, task.build.target.name, task.file, ours)
            future = client.submit(eval, PERFORM, {"given": given}, pure=False)
            future.add_done_callback(lambda future: ended.put((task, future)))

        for task in tasks:
            pool.submit(send, task).add_done_callback(partial(_failed, ended, task))
        try:
            for _ in tasks:
                task, future = _next(ended, client, address, patience)
                yield task, _results(task, future, address, patience.alone)
        finally:
            pool.shutdown(cancel_futures=True)


def _failed(ended: Ended, task: Task, sent: Future[None]) -> None:
    if not sent.cancelled() and sent.exception() is not None:
        ended.put((task, sent))


def _next(
    ended: Ended, client: Any, address: str, patience: Patience
) -> tuple[Task, Any]:
    """The next task that ends. Raises UserError if none can end any more."""
    seen = time.monotonic()
    while True:
        try:
            return ended.get(timeout=1)
        except queue.Empty:
            if _workers(client, address, patience.answer):
                seen = time.monotonic()
        if time.monotonic() - seen > patience.alone:
            raise UserError(
                f"the scheduler at {address} has had no worker for {patience.alone:.0f} s: start one "
                f"with 'dask worker {address}', then run the command again to continue where it stopped"
            )


def _workers(client: Any, address: str, limit: float) -> int:
    """The number of workers. Raises UserError if the scheduler does not say it."""
    try:
        # What nthreads() calls, but with a timeout.
        return len(client.sync(client.scheduler.ncores, callback_timeout=limit))
    # Without a connection, there is no client.scheduler.
    except (OSError, RuntimeError, AttributeError) as error:
        raise _lost(address) from error


def _results(
    task: Task, future: Any, address: str, limit: float
) -> tuple[Execution, ...]:
    """The results of a task that has ended. Raises UserError if there are none."""
    if isinstance(future, Future):
        future.result()
    if future.status == "error":
        error = future.exception()
        if type(error).__name__ != "KilledWorker":
            raise _unfit(address, error)
        ended = error.allowed_failures + 1
        why = f"{ended} workers ended while they ran it: {AGAIN}"
        return (Execution(task.build.target.name, task.file, "", NOT_PROVEN, why),)
    try:
        found: tuple[Execution, ...] = future.result(timeout=limit)
        return found
    except (CancelledError, TimeoutError) as lost:
        raise _lost(address) from lost


def _lost(address: str) -> UserError:
    return UserError(
        f"lost the scheduler at {address}: restart it, then run the command again "
        "to continue where it stopped"
    )


def _unfit(where: str, error: Exception) -> UserError:
    if isinstance(error, UserError):
        return error
    said = str(error).partition("\n")[0]
    return UserError(
        f"a worker at {where} cannot run hotcocci ({type(error).__name__}: {said}): "
        "install the client's version there, with its extra 'prove'"
    )


@contextmanager
def connected(address: str, insecure: bool) -> Iterator[Any]:
    """A client of the scheduler; its tasks are cancelled at the end.

    Raises UserError if there is no scheduler, if dask is not installed, or if anyone could be the
    scheduler and this is not ``insecure``.
    """
    distributed = _distributed()
    # Its long log messages repeat what we report in one line.
    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    try:
        # The certificates of dask's configuration
        security = distributed.Security()
        refused = not (insecure or _is_safe(address))
        if not refused:
            # Client() takes long if it cannot connect: try a plain connection first.
            kind = asyncio.run(_kind(distributed, address, security))
            if kind != "Scheduler":
                raise ValueError(f"this is the address of a {kind}")
            with warnings.catch_warnings():
                # Versions of other libraries do not matter here.
                warnings.simplefilter("ignore")
                client = distributed.Client(
                    address, timeout=CONNECT, set_as_default=False, security=security
                )
    # Any server may listen there; the answer of an HTTP server causes a MemoryError.
    except Exception as error:
        raise UserError(
            f"no scheduler answers at {address!r}: name the address that 'dask scheduler' prints, "
            "for instance tls://host:8786, and configure dask's certificates for it (docs/cluster.md)"
        ) from error
    if refused:
        raise UserError(
            f"{address} is another machine without TLS, where anyone may be the scheduler and run code "
            "on its workers: use tls:// (docs/cluster.md), or --insecure in a network that you trust"
        )
    try:
        yield client
    finally:
        client.close(timeout=CONNECT)


def _is_safe(address: str) -> bool:
    """Whether an address is encrypted or on this machine. Raises OSError and ValueError."""
    addressing = import_module("distributed.comm.addressing")
    scheme, _ = addressing.parse_address(address)
    if scheme in ENCRYPTED:
        return True
    host = addressing.get_address_host(address)
    found = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)
    return all(ipaddress.ip_address(each[4][0]).is_loopback for each in found)


async def _kind(distributed: Any, address: str, security: Any) -> str:
    """The kind of server that answers."""

    async def ask() -> str:
        given = security.get_connection_args("client")
        async with distributed.rpc(address, connection_args=given) as server:
            identity = await server.identity()
            return str(identity["type"])

    return await asyncio.wait_for(ask(), CONNECT)


def _distributed() -> Any:
    try:
        return import_module("distributed")
    except ImportError as error:
        raise UserError(
            f"--scheduler needs the Python library distributed ({error}): "
            + setup_hint("cluster", "prove --scheduler ADDRESS")
        ) from error
