# SPDX-License-Identifier: GPL-2.0
"""Run tasks in parallel on this machine, each in its own process."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed

from hotcocci.findings import Execution
from hotcocci.proof.task import Task, work_apart


def run_all(
    tasks: Sequence[Task], jobs: int
) -> Iterator[tuple[Task, tuple[Execution, ...]]]:
    """Yield each task with its results as it completes; ``jobs`` processes at a time."""
    with ThreadPoolExecutor(max_workers=max(jobs, 1)) as pool:
        running = {pool.submit(work_apart, task): task for task in tasks}
        try:
            for future in as_completed(running):
                yield running[future], future.result()
        finally:
            pool.shutdown(cancel_futures=True)
