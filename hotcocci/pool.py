# SPDX-License-Identifier: GPL-2.0
"""Apply a function to many items in parallel."""

from __future__ import annotations

import multiprocessing
import signal
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import partial
from typing import TypeVar

from hotcocci.errors import UserError

Item = TypeVar("Item")
Result = TypeVar("Result")

# More chunks cost more to distribute, fewer leave CPUs idle at the end.
CHUNKS_PER_JOB = 16
_SIGNALS = (signal.SIGINT, signal.SIGTERM)


def spread(
    work: Callable[[Item], Result],
    items: Sequence[Item],
    jobs: int,
    least: int,
    step: Callable[[int, int], None] | None = None,
) -> list[Result]:
    """Apply ``work`` to items in parallel; returns the results in order.

    ``work`` must be a module-level function or a partial of one. Fewer than ``least`` items are
    processed in this process: starting another one would take longer. ``step`` is called with the
    number of items done and their total. Raises UserError if a process is killed.
    """
    results: list[Result] = []
    if jobs < 2 or len(items) < least:
        for item in items:
            results.append(work(item))
            if step:
                step(len(results), len(items))
        return results
    size = max(1, len(items) // (jobs * CHUNKS_PER_JOB))
    chunks = [items[start : start + size] for start in range(0, len(items), size)]
    # Not multiprocessing.Pool, which waits forever if a signal kills a process that holds its queue.
    pool = ProcessPoolExecutor(
        jobs, multiprocessing.get_context("fork"), _leave_signals_to_parent
    )
    # A signal that reaches a worker before it resets our handlers would be lost, and we would wait for
    # that worker forever. The workers start with the first chunk.
    before = signal.pthread_sigmask(signal.SIG_BLOCK, _SIGNALS)
    try:
        running = [pool.submit(partial(_each, work), chunk) for chunk in chunks]
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
    try:
        for future in running:
            results += future.result()
            if step:
                step(len(results), len(items))
    except BrokenProcessPool as error:
        raise UserError(
            "a process was killed, perhaps because memory ran out: use fewer --jobs"
        ) from error
    finally:
        pool.shutdown(cancel_futures=True)
    return results


def _each(work: Callable[[Item], Result], items: Sequence[Item]) -> list[Result]:
    return [work(item) for item in items]


def _leave_signals_to_parent() -> None:
    # On Ctrl-C the parent kills its children.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, _SIGNALS)
