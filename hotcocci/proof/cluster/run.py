# SPDX-License-Identifier: GPL-2.0
"""Many tasks at once on the workers of a scheduler, which may come and go.

Every thread of a worker gets one task at a time, so that it is known which one a worker ended
with: another worker takes that over, unless it has been the end of several.
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
from hotcocci.proof.cluster.sent import code
from hotcocci.proof.cluster.station import Cluster, Gone, Station, Unfit, perform
from hotcocci.proof.task import NO_WORKER, Task
from hotcocci.tree.build import Build

# Seconds for the scheduler to answer at all.
CONNECT = 5.0
# Seconds for a busy one to say which workers it has.
ANSWER = 30.0
# Seconds without an answer.
SILENT = 60.0
# Seconds without any worker. A nanny starts a new one within ten.
WITHOUT = 60.0
# A task that was running when as many workers ended is not given to one more.
LOSSES = 3

Outcome = tuple[Task, tuple[Execution, ...]]


@dataclass
class _Work:
    """What is still to be done. Changed under the lock alone."""

    waiting: deque[Task]
    results: queue.SimpleQueue[Outcome | Exception] = field(
        default_factory=queue.SimpleQueue
    )
    losses: dict[Task, list[str]] = field(default_factory=dict)
    unfit: dict[tuple[str, Build], str] = field(default_factory=dict)
    lock: threading.Lock = field(default_factory=threading.Lock)
    over: threading.Event = field(default_factory=threading.Event)


def check(address: str) -> None:
    """See that a scheduler answers. Raises UserError if none does, or without dask."""
    with _connected(address):
        pass


def run_all(tasks: Sequence[Task], address: str) -> Iterator[Outcome]:
    """Every task with what came of it, as each is done, by the workers of the scheduler there.

    What no worker can run is told as not proven. Raises UserError if the scheduler or all
    workers are gone; what was yielded before is done.
    """
    if not tasks:
        return
    with _connected(address) as (client, killed):
        cluster = Cluster(client, killed, code())
        work = _Work(deque(tasks))
        try:
            yield from _run(cluster, work, len(tasks), address)
        finally:
            work.over.set()


def _run(cluster: Cluster, work: _Work, left: int, address: str) -> Iterator[Outcome]:
    stations: dict[str, Station] = {}
    answered = seen = time.monotonic()
    while left:
        alive = _workers(cluster)
        now = time.monotonic()
        if alive is not None:
            answered = now
            cluster.alive = alive
            _serve_all(cluster, work, stations)
        if alive:
            seen = now
        if now - answered > SILENT or _gone(cluster):
            raise UserError(
                f"lost the scheduler at {address}: restart it, then run the command again "
                "to continue where it stopped"
            )
        if now - seen > WITHOUT:
            raise UserError(
                f"the scheduler at {address} has had no worker for {WITHOUT:.0f} s: start one "
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
    """Let the workers that are new do tasks, and forget those that are gone."""
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
    """Let one thread of a worker do tasks until all are done or it is gone."""
    try:
        while not (work.over.is_set() or station.ended):
            task = _take(work, station)
            if task is None:
                # One that another worker loses may still come back.
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
        # Raised again where somebody sees it.
        if not work.over.is_set():
            work.results.put(error)


def _take(work: _Work, station: Station) -> Task | None:
    """The next task that this worker is not known to be unfit for.

    Of those that were running when a worker ended it gets one at a time: if it ends as well,
    that one is to blame.
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
    """Leave a task to others, or give it up as the one that workers end with."""
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
    """Tell of the tasks that every worker is unfit for."""
    with work.lock:
        for build in {task.build for task in work.waiting}:
            reasons = [work.unfit.get((address, build)) for address in alive]
            told = sorted({reason for reason in reasons if reason})
            if not reasons or not all(reasons):
                continue
            for task in [task for task in work.waiting if task.build == build]:
                work.waiting.remove(task)
                work.results.put((task, _not_run(task, "; ".join(told))))


def _not_run(task: Task, why: str) -> tuple[Execution, ...]:
    target, detail = task.build.target.name, f"{NO_WORKER}: {why}"
    return (Execution(target, task.file, "", NOT_PROVEN, detail),)


def _gone(cluster: Cluster) -> bool:
    """Whether the client has given the scheduler up: it tries for CONNECT seconds to reach it again."""
    return cluster.client.scheduler is None


def _workers(cluster: Cluster) -> dict[str, int] | None:
    """The addresses of the workers, and how many threads each has; None if nobody answers."""
    client = cluster.client
    if _gone(cluster):
        return None
    try:
        # What nthreads() asks, which would wait for ever.
        return dict(client.sync(client.scheduler.ncores, callback_timeout=ANSWER))
    except (OSError, RuntimeError):
        # The client goes on trying to reach the scheduler.
        return None


@contextmanager
def _connected(address: str) -> Iterator[tuple[Any, type[Exception]]]:
    """A client of the scheduler, and what it raises for a task that ends its workers."""
    distributed = _distributed()
    # It logs at length what is told here in a line.
    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    try:
        # A client that cannot connect has more to say than its exception, and takes its time.
        kind = asyncio.run(_identity(distributed, address))
        if kind != "Scheduler":
            raise ValueError(f"this is the address of a {kind}")
        with warnings.catch_warnings():
            # Other versions of other libraries there do not matter here.
            warnings.simplefilter("ignore")
            client = distributed.Client(address, timeout=CONNECT, set_as_default=False)
    # Whatever listens there may answer anything: an HTTP server's makes it a MemoryError.
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
            told = await server.identity()
            return str(told["type"])

    return await asyncio.wait_for(ask(), CONNECT)


def _distributed() -> Any:
    try:
        return importlib.import_module("distributed")
    except ImportError as error:
        raise UserError(
            f"--scheduler needs the Python library distributed ({error}): "
            "install it with 'pip install -e .[cluster]'"
        ) from error
