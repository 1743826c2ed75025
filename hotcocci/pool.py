# SPDX-License-Identifier: GPL-2.0
"""Apply a function to many items in parallel."""

from __future__ import annotations

import multiprocessing
import signal
from collections.abc import Callable, Sequence
from typing import TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")

# More chunks cost more to distribute, fewer leave CPUs idle at the end.
CHUNKS_PER_JOB = 16
_SIGNALS = (signal.SIGINT, signal.SIGTERM)


def spread(
    work: Callable[[Item], Result], items: Sequence[Item], jobs: int, least: int
) -> list[Result]:
    """Apply ``work`` to items in parallel; returns the results in order.

    ``work`` must be a module-level function or a partial of one. Fewer than ``least`` items are
    processed in this process: starting another one would take longer.
    """
    if jobs < 2 or len(items) < least:
        return [work(item) for item in items]
    chunk = max(1, len(items) // (jobs * CHUNKS_PER_JOB))
    context = multiprocessing.get_context("fork")
    # A signal that reaches a worker before it resets our handlers would be lost, and we would wait for
    # that worker forever.
    before = signal.pthread_sigmask(signal.SIG_BLOCK, _SIGNALS)
    try:
        pool = context.Pool(jobs, initializer=_leave_signals_to_parent)
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
    with pool:
        return pool.map(work, items, chunksize=chunk)


def _leave_signals_to_parent() -> None:
    # On Ctrl-C the parent terminates the pool.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, _SIGNALS)
