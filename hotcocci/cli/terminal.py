# SPDX-License-Identifier: GPL-2.0
"""Write to a terminal: progress and warnings, and colour unless there is NO_COLOR (no-color.org).

Else progress is a line now and then. A thread shows the innermost task that runs, whether or not it makes a step. It writes to the file
descriptor: a forked process would inherit the lock of sys.stderr if it is held at that moment.
"""

import os
import re
import shutil
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TextIO

from hotcocci.names import printable
from hotcocci.pipeline.settings import Step

# Seconds between two bars on a terminal, and between two lines in a log.
REDRAWN = 0.25
EVERY = 10.0
BAR = 24
CLEAR = "\r\x1b[K"
STDERR = 2
_BOLD, _RED, _GREEN, _CYAN, _END = (f"\x1b[{n}m" for n in (1, 31, 32, 36, 0))
# git's colours, by the first character of a line
_OF_DIFF = {"-": _RED, "+": _GREEN, "@": _CYAN}
_PLACE = re.compile(r"^(?P<place>.+?:\d+:) (?P<rule>[A-Z]{2}\d+) ")


@dataclass
class _Task:
    """A task that runs; ``total`` is 0 if it is unknown."""

    title: str
    done: int = 0
    total: int = 0
    start: float = field(default_factory=time.monotonic)


# The innermost task is the last.
_tasks: list[_Task] = []
_drawing = threading.Lock()
_ticker: threading.Thread | None = None


def say(*lines: str) -> None:
    """Print lines on standard error: what is no finding, and no patch."""
    for line in lines:
        print(line, file=sys.stderr, flush=True)


def warn(message: str) -> None:
    """Print a warning."""
    if _tasks and sys.stderr.isatty():
        print(CLEAR, end="", file=sys.stderr)
    print(f"hotcocci: {printable(message)}", file=sys.stderr, flush=True)


@contextmanager
def progress(title: str) -> Iterator[Step | None]:
    """Show how far a task is, on standard error; yields the function that updates it."""
    global _ticker
    task = _Task(printable(title))

    def show(done: int, total: int) -> None:
        # The total may be that of another time.
        task.done, task.total = done, total if done <= total else 0

    _tasks.append(task)
    if _ticker is None:
        _ticker = threading.Thread(target=_tick, daemon=True)
        _ticker.start()
    try:
        yield show
    finally:
        with _drawing:
            _tasks.remove(task)
            if not _tasks and sys.stderr.isatty():
                _write(CLEAR)


def _tick() -> None:
    """Show the current task until the program ends."""
    terminal = sys.stderr.isatty()
    while True:
        time.sleep(REDRAWN if terminal else EVERY)
        with _drawing:
            if _tasks:
                _write(_bar(_tasks[-1]) if terminal else f"{_line(_tasks[-1])}\n")


def _bar(task: _Task) -> str:
    parts = [f"hotcocci: {task.title}"]
    if task.total:
        full = BAR * min(task.done, task.total) // task.total
        parts.append(f"[{'#' * full}{'.' * (BAR - full)}] {task.done}/{task.total}")
    elif task.done:
        parts.append(str(task.done))
    minutes, seconds = divmod(int(time.monotonic() - task.start), 60)
    parts.append(f"{minutes}:{seconds:02}")
    return CLEAR + "  ".join(parts)[: shutil.get_terminal_size().columns - 1]


def _line(task: _Task) -> str:
    if task.total:
        return f"hotcocci: {task.title}: {task.done} of {task.total}"
    steps = f"{task.done}, " if task.done else ""
    return (
        f"hotcocci: {task.title}: {steps}{time.monotonic() - task.start:.0f} s so far"
    )


def _write(text: str) -> None:
    try:
        os.write(STDERR, text.encode(errors="replace"))
    except OSError:
        return  # The reader closed the pipe: the command itself goes on.


def has_colour(stream: TextIO) -> bool:
    """Whether to colour what is written to a stream."""
    plain = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    return stream.isatty() and not plain


def coloured_diff(text: str) -> str:
    """Colour the lines of a diff."""
    return "\n".join(map(_of_diff, text.split("\n")))


def coloured_finding(line: str) -> str:
    """Colour the location and the rule of a finding."""
    return _PLACE.sub(rf"{_BOLD}\g<place>{_END} {_CYAN}\g<rule>{_END} ", line)


def _of_diff(line: str) -> str:
    heads = line.startswith(("--- a/", "+++ b/"))
    style = _BOLD if heads else _OF_DIFF.get(line[:1], "")
    return f"{style}{line}{_END}" if style else line
