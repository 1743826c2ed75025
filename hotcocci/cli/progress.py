# SPDX-License-Identifier: GPL-2.0
"""Progress and warnings: a bar on a terminal, else a line now and then."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

from hotcocci.pipeline.settings import Step


# Seconds between two lines in a log.
EVERY = 10.0


def warn(message: str) -> None:
    """Print a warning."""
    print(f"hotcocci: {message}", file=sys.stderr)


@contextmanager
def progress(title: str) -> Iterator[Step | None]:
    """Show how far a task is, on standard error; yields the function that updates it."""
    if not sys.stderr.isatty():
        yield _logged(title)
        return
    # Importing rich takes longer than a cached run.
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
    )

    columns = (
        TextColumn(title),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(title, total=None)

        def show(done: int, total: int) -> None:
            bar.update(task, completed=done, total=total)

        yield show


def _logged(title: str) -> Step:
    last = time.monotonic()

    def show(done: int, total: int) -> None:
        nonlocal last
        if time.monotonic() - last >= EVERY:
            last = time.monotonic()
            print(f"hotcocci: {title}: {done} of {total}", file=sys.stderr, flush=True)

    return show
