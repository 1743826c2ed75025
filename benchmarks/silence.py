#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Measures how long commands leave a user in the dark, and how long they take to stop.

Runs ``patch``, ``prove``, ``series`` and ``lint`` on a pseudo-terminal. Prints the longest time in
which nothing appears on it; then interrupts each command at moments spread over such a run, and
prints the time from Ctrl-C to the exit. Ctrl-C reaches the command alone, as from a terminal its
children have process groups of their own.

    python3 benchmarks/silence.py TREE PATH… [--cache-dir FOLDER] [--moments N] [--only COMMAND]

PATH is in TREE; for ``series``, TREE is a git clone. Each run starts with an empty cache of results
unless FOLDER is named. Exit code 1 if a command was silent, or took to stop, longer than 2 s.
"""

from __future__ import annotations

import argparse
import os
import pty
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
# Seconds
ALLOWED = 2.0
PATIENCE = 60.0


@dataclass(frozen=True)
class Run:
    """One run: all of its seconds, the longest silence with what came before it, and the exit code.

    ``stopped`` are the seconds from the signal to the exit.
    """

    seconds: float
    silence: float
    before: str
    code: int
    stopped: float = 0.0


def main() -> int:
    """Print a line per command; returns the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("tree", type=Path, metavar="TREE")
    parser.add_argument("paths", nargs="+", metavar="PATH")
    parser.add_argument("--cache-dir", type=Path, metavar="FOLDER")
    parser.add_argument("--moments", type=int, default=10, metavar="N")
    parser.add_argument("--only", action="append", metavar="COMMAND")
    options = parser.parse_args()
    # A shell has a job in the background ignore it, and so would the commands.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    status = 0
    for name, words in commands(options.tree.resolve(), options.paths).items():
        if options.only and name not in options.only:
            continue
        whole = timed(words, options.cache_dir)
        print(
            f"{name}: {whole.seconds:.0f} s, exit code {whole.code}, longest silence "
            f"{whole.silence:.1f} s after {whole.before!r}",
            flush=True,
        )
        moments = [
            whole.seconds * (n + 0.5) / options.moments for n in range(options.moments)
        ]
        runs = [timed(words, options.cache_dir, moment) for moment in moments]
        said = ", ".join(f"{run.stopped:.1f} ({run.code})" for run in runs)
        print(f"{name}: Ctrl-C to exit (code): {said}", flush=True)
        slowest = max((run.stopped for run in runs), default=0.0)
        if max(whole.silence, slowest) > ALLOWED:
            status = 1
    return status


def commands(tree: Path, paths: Sequence[str]) -> dict[str, list[str]]:
    """The command lines by name."""
    inside = [str(tree / path) for path in paths]
    return {
        "lint": ["lint", *inside],
        "patch": ["patch", *inside, "--tier", "prepared"],
        "prove": ["prove", *inside, "--tier", "prepared"],
        "series": ["series", *inside, "--tree", str(tree), "--output", "{mails}"],
    }


def timed(words: Sequence[str], cache: Path | None, moment: float | None = None) -> Run:
    """Run a command on a pseudo-terminal; with ``moment``, press Ctrl-C after as many seconds."""
    scratch = Path(tempfile.mkdtemp(prefix="hotcocci-silence-"))
    try:
        argv = [sys.executable, str(ROOT / "run.py")]
        argv += [word.format(mails=scratch / "mails") for word in words]
        argv += ["--cache-dir", str(cache or scratch / "cache")]
        return _watched(argv, moment)
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


def _watched(argv: Sequence[str], moment: float | None) -> Run:
    terminal, own = pty.openpty()
    start = last = time.monotonic()
    with subprocess.Popen(
        argv, stdin=subprocess.DEVNULL, stdout=own, stderr=own, start_new_session=True
    ) as process:
        os.close(own)
        silence, before, text, sent = 0.0, "", "", 0.0
        while process.poll() is None:
            if moment is not None and not sent and time.monotonic() - start >= moment:
                sent = time.monotonic()
                process.send_signal(signal.SIGINT)
            ready, _, _ = select.select([terminal], [], [], 0.02)
            now = time.monotonic()
            if sent and now - sent > PATIENCE:
                process.kill()
            if now - last > silence:
                silence, before = now - last, text
            if ready:
                try:
                    data = os.read(terminal, 65536)
                except OSError:
                    break  # It has exited.
                last, text = (
                    now,
                    data.decode(errors="replace").strip("\r\n\x1b[K")[-60:],
                )
        process.wait()
        end = time.monotonic()
    os.close(terminal)
    stopped = end - sent if sent else 0.0
    return Run(end - start, silence, before, process.returncode, stopped)


if __name__ == "__main__":
    sys.exit(main())
