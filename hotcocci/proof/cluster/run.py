# SPDX-License-Identifier: GPL-2.0
"""Run tasks on the workers of a scheduler, which may come and go.

Each thread of a worker gets one task at a time, so that it is known which task was running when a
worker died. Another worker retries it, unless several died with it.
"""

from __future__ import annotations

import asyncio
import importlib
import logging
import queue
import threading
import time
import warnings
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from hotcocci.errors import UserError
from hotcocci.findings import NOT_PROVEN, Execution
from hotcocci.layout import setup_hint
from hotcocci.proof.cluster.sent import code
from hotcocci.proof.cluster.station import Cluster, Gone, Station, Unfit, perform
from hotcocci.proof.task import NO_WORKER, Task
from hotcocci.tree.build import Build

# Seconds to connect to the scheduler
CONNECT = 5.0
# A task is not retried after this many workers died with it.
LOSSES = 3

Outcome = tuple[Task, tuple[Execution, ...]]


@dataclass(frozen=True)
class Patience:
    """How long to wait, in seconds.

    ``answer`` is for a busy scheduler to list its workers, ``silent`` without an answer and
    ``alone`` without a worker before giving up; a nanny restarts a worker within ten.
    """

    answer: float = 30.0
    silent: float = 60.0
    alone: float = 60.0


@dataclass
class _Work:
    """The work that remains; only changed with the lock held."""

    waiting: deque[Task]
    results: queue.SimpleQueue[Outcome | Exception] = field(
        default_factory=queue.SimpleQueue
    )
    losses: dict[Task, list[str]] = field(default_factory=dict)
    unfit: dict[tuple[str, Build], str] = field(default_factory=dict)
    lock: threading.Lock = field(default_factory=threading.Lock)
    over: threading.Event = field(default_factory=threading.Event)


def check(address: str) -> None:
    """Check that a scheduler answers.

    Raises UserError if none does, or if dask is not installed.
    """
    with _connected(address):
        pass


def run_all(
    tasks: Sequence[Task], address: str, patience: Patience = Patience()
) -> Iterator[Outcome]:
    """Yield each task with its results as it completes on the scheduler's workers.

    Tasks that no worker can run are NOT_PROVEN. Raises UserError if the scheduler or all workers
    are lost; results yielded before are complete.
    """
    if not tasks:
        return
    with _connected(address) as (client, killed):
        cluster = Cluster(client, killed, code())
        work = _Work(deque(tasks))
        try:
            yield from _run(cluster, work, len(tasks), address, patience)
        finally:
            work.over.set()


def _run(
    cluster: Cluster, work: _Work, left: int, address: str, patience: Patience
) -> Iterator[Outcome]:
    stations: dict[str, Station] = {}
    answered = seen = time.monotonic()
    while left:
        alive = _workers(cluster, patience.answer)
        now = time.monotonic()
        if alive is not None:
            answered = now
            cluster.alive = alive
            _serve_all(cluster, work, stations)
        if alive:
            seen = now
        if now - answered > patience.silent or _gone(cluster):
            raise UserError(
                f"lost the scheduler at {address}: restart it, then run the command again "
                "to continue where it stopped"
            )
        if now - seen > patience.alone:
            raise UserError(
                f"the scheduler at {address} has had no worker for {patience.alone:.0f} s: start one "
                f"with 'dask worker {address}', then run the command again to continue where it stopped"
            )
        _give_up(work, list(cluster.alive))
        try:
            done = work.results.get(timeout=1)
        except queue.Empty:
            continue
        if isinstance(done, Exception):
            raise done
        left -= 1
        yield done


def _serve_all(cluster: Cluster, work: _Work, stations: dict[str, Station]) -> None:
    """Start threads for new workers, and forget those that are gone."""
    for address, station in list(stations.items()):
        if station.ended or address not in cluster.alive:
            del stations[address]
            with work.lock:
                for key in [key for key in work.unfit if key[0] == address]:
                    del work.unfit[key]
    for address in cluster.alive.keys() - stations.keys():
        stations[address] = Station(address)
        for _ in range(cluster.alive[address]):
            slot = (cluster, work, stations[address])
            threading.Thread(target=_serve, args=slot, daemon=True).start()


def _serve(cluster: Cluster, work: _Work, station: Station) -> None:
    """Let one thread of a worker do tasks until all are done or the worker is gone."""
    try:
        while not (work.over.is_set() or station.ended):
            task = _take(work, station)
            if task is None:
                # Another worker may still lose its task.
                work.over.wait(0.2)
                continue
            try:
                work.results.put((task, perform(cluster, station, task)))
            except Unfit as error:
                with work.lock:
                    why = f"{station.host or station.address}: {error}"
                    work.unfit[station.address, task.build] = why
                    work.waiting.appendleft(task)
            except Gone as error:
                station.ended = True
                _lose(work, task, station, error)
            finally:
                if task is station.suspect:
                    station.suspect = None
    except Exception as error:
        # _run() raises it again.
        if not work.over.is_set():
            work.results.put(error)


def _take(work: _Work, station: Station) -> Task | None:
    """The next task that this worker may run.

    Tasks that were running when a worker died are retried one at a time: if this worker dies too,
    that task is to blame.
    """
    with work.lock:
        for task in work.waiting:
            if (station.address, task.build) in work.unfit:
                continue
            if task in work.losses:
                if station.suspect is not None:
                    continue
                station.suspect = task
            work.waiting.remove(task)
            return task
    return None


def _lose(work: _Work, task: Task, station: Station, error: Gone) -> None:
    """Return a task to the queue, or give it up after too many workers died with it."""
    with work.lock:
        ended = work.losses.setdefault(task, [])
        if error.worker:
            ended.append(station.host or station.address)
        if len(ended) < LOSSES:
            work.waiting.appendleft(task)
            return
    why = f"{len(ended)} workers ended while they ran it: {', '.join(ended)}"
    work.results.put((task, _not_run(task, why)))


def _give_up(work: _Work, alive: Sequence[str]) -> None:
    """Give up the tasks that every worker is unfit for."""
    with work.lock:
        for build in {task.build for task in work.waiting}:
            reasons = [work.unfit.get((address, build)) for address in alive]
            given = sorted({reason for reason in reasons if reason})
            if not reasons or not all(reasons):
                continue
            for task in [task for task in work.waiting if task.build == build]:
                work.waiting.remove(task)
                work.results.put((task, _not_run(task, "; ".join(given))))


def _not_run(task: Task, why: str) -> tuple[Execution, ...]:
    target, detail = task.build.target.name, f"{NO_WORKER}: {why}"
    return (Execution(target, task.file, "", NOT_PROVEN, detail),)


def _gone(cluster: Cluster) -> bool:
    """Whether the client has given up reconnecting to the scheduler, after CONNECT seconds."""
    return cluster.client.scheduler is None


def _workers(cluster: Cluster, limit: float) -> dict[str, int] | None:
    """The addresses of the workers with their number of threads; None if the scheduler is silent."""
    client = cluster.client
    if _gone(cluster):
        return None
    try:
        # What nthreads() calls, but with a timeout.
        return dict(client.sync(client.scheduler.ncores, callback_timeout=limit))
    except (OSError, RuntimeError):
        # The client keeps trying to reconnect.
        return None


@contextmanager
def _connected(address: str) -> Iterator[tuple[Any, type[Exception]]]:
    """A client of the scheduler, and the exception it raises for a task that kills its workers."""
    distributed = _distributed()
    # Its long log messages repeat what we report in one line.
    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    try:
        # Client() logs a lot and takes long if it cannot connect: try a plain connection first.
        kind = asyncio.run(_identity(distributed, address))
        if kind != "Scheduler":
            raise ValueError(f"this is the address of a {kind}")
        with warnings.catch_warnings():
            # Versions of other libraries do not matter here.
            warnings.simplefilter("ignore")
            client = distributed.Client(address, timeout=CONNECT, set_as_default=False)
    # Any server may listen there; the answer of an HTTP server causes a MemoryError.
    except Exception as error:
        raise UserError(
            f"no scheduler answers at {address!r}: name the address that "
            "'dask scheduler' prints, for instance tcp://host:8786"
        ) from error
    try:
        yield client, distributed.KilledWorker
    finally:
        client.close(timeout=CONNECT)


async def _identity(distributed: Any, address: str) -> str:
    """What kind of server answers."""

    async def ask() -> str:
        async with distributed.rpc(address) as server:
            identity = await server.identity()
            return str(identity["type"])

    return await asyncio.wait_for(ask(), CONNECT)


def _distributed() -> Any:
    try:
        return importlib.import_module("distributed")
    except ImportError as error:
        raise UserError(
            f"--scheduler needs the Python library distributed ({error}): "
            + setup_hint("cluster", "prove --scheduler ADDRESS")
        ) from error
