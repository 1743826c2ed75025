# SPDX-License-Identifier: GPL-2.0
"""The same work on many items, on all processors."""

from __future__ import annotations

import multiprocessing
import signal
from collections.abc import Callable, Sequence
from typing import TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")

# Smaller ones cost more to hand out, larger ones leave processors idle at the end.
CHUNKS_PER_JOB = 16
_SIGNALS = (signal.SIGINT, signal.SIGTERM)


def spread(
    work: Callable[[Item], Result], items: Sequence[Item], jobs: int, least: int
) -> list[Result]:
    """The results in the order of the items.

    ``work`` must be a function of a module, or a partial of one. With fewer than ``least``
    items, a second process would cost more than it saves, and the work is done in this one.
    """
    if jobs < 2 or len(items) < least:
        return [work(item) for item in items]
    chunk = max(1, len(items) // (jobs * CHUNKS_PER_JOB))
    context = multiprocessing.get_context("fork")
    # A signal that reaches a worker before it has let go of our handlers would be lost, and we would
    # wait for that worker for ever.
    before = signal.pthread_sigmask(signal.SIG_BLOCK, _SIGNALS)
    try:
        pool = context.Pool(jobs, initializer=_leave_signals_to_parent)
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
    with pool:
        return pool.map(work, items, chunksize=chunk)


def _leave_signals_to_parent() -> None:
    # On Ctrl-C the parent ends the pool; the workers have nothing to say about it.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, _SIGNALS)
