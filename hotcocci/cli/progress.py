# SPDX-License-Identifier: GPL-2.0
"""Progress and warnings on a terminal."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from hotcocci.pipeline.settings import Step


def warn(message: str) -> None:
    """Print a warning."""
    print(f"hotcocci: {message}", file=sys.stderr)


@contextmanager
def progress(title: str) -> Iterator[Step | None]:
    """Show a progress bar if standard error is a terminal; yields its update function, else None."""
    if not sys.stderr.isatty():
        yield None
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
