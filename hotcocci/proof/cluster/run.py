# SPDX-License-Identifier: GPL-2.0
"""Compare code on the workers of a scheduler, which may come and go.

The code is compiled here, and only objects are sent. dask.distributed does the rest: it gives each
task to a worker, and to another one if that dies.
"""

from __future__ import annotations

import pickle
import queue
import time
import zlib
from collections.abc import Iterator, Sequence
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import Any

from hotcocci.errors import AGAIN, UserError
from hotcocci.findings import NOT_PROVEN, Execution
from hotcocci.proof.cluster import worker
from hotcocci.proof.cluster.connection import connected
from hotcocci.proof.task import Task

Outcome = tuple[Task, tuple[Execution, ...]]
# What a worker is asked: text, because one without hotcocci, or with another Python, dies of what it
# cannot unpickle.
IDENTITY = f"__import__({worker.__name__!r}, fromlist=['']).identity()"
PERFORM = f"__import__({worker.__name__!r}, fromlist=['']).perform(*given)"
# The tasks that have ended, each with dask's future, or with ours if it could not be sent.
Ended = queue.SimpleQueue[tuple[Task, Any]]


@dataclass(frozen=True)
class Patience:
    """How long to wait, in seconds: for a busy scheduler to answer, and for a worker to come.

    A nanny restarts a worker within ten.
    """

    answer: float = 30.0
    alone: float = 60.0


def check(address: str, insecure: bool = False) -> None:
    """Check that a scheduler answers, and that its workers would give the results of this machine.

    Raises UserError if not, or if dask is not installed.
    """
    with connected(address, insecure) as client:
        ours = worker.identity()
        for where, theirs in client.run(eval, IDENTITY, on_error="return").items():
            if isinstance(theirs, Exception):
                raise _unfit(where, theirs)
            worker.check(where, theirs, ours)


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

    ours = worker.identity()
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
