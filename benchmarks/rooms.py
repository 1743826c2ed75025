#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Prints where a cold run spends its processor time, by room of the package.

    pip install py-spy
    python3 benchmarks/rooms.py PATH [COMMAND…]

The command is 'lint' unless another one is given. It runs with an empty cache, and py-spy looks 50 times a
second at what each of its Python processes does. A look counts for the room of the innermost frame in
hotcocci/, after which comes what other programs took. On a busy machine the looks are too many, as a process
that waits for a processor counts, too.
"""

from __future__ import annotations

import re
import resource
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
RATE = 50
_ROOM = re.compile(r"\(hotcocci/((?:[a-z]\w*/)*)")
# A frame of a thread or a process that waits, which py-spy does not take for idle
_WAITS = ("wait (", "_recv (", "poll (", "_tick (", "select (")


def main() -> int:
    """Run the command and print a row for each room."""
    if shutil.which("py-spy") is None or len(sys.argv) < 2:
        sys.exit("usage: rooms.py PATH [COMMAND…], with py-spy: pip install py-spy")
    path, *command = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        looks = Path(folder) / "looks"
        watched = ["py-spy", "record", "-r", str(RATE), "-f", "raw", "--subprocesses"]
        run = [sys.executable, str(ROOT / "run.py"), *(command or ["lint"]), path]
        run += ["--cache-dir", f"{folder}/cache"]
        subprocess.run(
            [*watched, "-o", str(looks), "--", *run],
            stdout=subprocess.DEVNULL,
            check=False,
        )
        seconds = rooms(looks.read_text(encoding="utf-8"))
    spent = resource.getrusage(resource.RUSAGE_CHILDREN)
    total = spent.ru_utime + spent.ru_stime
    seconds["other programs, and py-spy"] = max(total - seconds.total(), 0)
    for room, taken in seconds.most_common():
        print(f"{taken:7.1f} s  {room}")
    print(f"{total:7.1f} s  in all")
    return 0


def rooms(looks: str) -> Counter[str]:
    """The seconds of each room, from stacks of 'frame;frame count'."""
    found: Counter[str] = Counter()
    for line in looks.splitlines():
        stack, _, count = line.rpartition(" ")
        if any(wait in stack.rpartition(";")[2] for wait in _WAITS):
            continue
        own = _ROOM.findall(stack)
        found[own[-1].rstrip("/") or "hotcocci" if own else "Python"] += int(count)
    return Counter({room: count / RATE for room, count in found.items()})


if __name__ == "__main__":
    sys.exit(main())
