# SPDX-License-Identifier: GPL-2.0
"""Time fixtures in processes of their own, taking turns on one processor."""

from __future__ import annotations

import os
import select
import subprocess
import sys
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from hotcocci.proof.measure.runner_source import SOURCE
from hotcocci.tree.process import environment, run

# gcc is required to compile a kernel anyway.
COMPILER = ("gcc", "-O2", "-Wall")
TIMEOUT = 60.0
# Seconds for a process that has closed its pipe to end.
ENDING = 2.0
READY = "ready"
# Core cycles of the runner's chain of multiplications.
CHAIN = 3000


class RunnerError(Exception):
    """The code does not run natively as in the emulator; the message says what happened."""


@dataclass(frozen=True)
class Turn:
    """What calls of the function took in one turn, per call.

    ``tsc`` are cycles of the time stamp counter, ``core`` those of the core, 0 if the kernel permits
    no counter. ``empty`` is the same for an empty function: the loop around the calls. ``ratio`` is
    how many core cycles one of the time stamp counter was, by a chain of multiplications.
    """

    tsc: float
    ns: float
    core: float
    empty: tuple[float, float, float]
    ratio: float


def compiled(scratch: Path) -> Path:
    """Compile the runner; returns the program.

    Raises RunnerError if that fails.
    """
    source, program = scratch / "runner.c", scratch / "runner"
    source.write_text(SOURCE)
    argv = [*COMPILER, "-o", str(program), str(source)]
    outcome = run(argv, scratch, TIMEOUT)
    if outcome.status != 0:
        said = outcome.err.strip().splitlines() or ["no message"]
        raise RunnerError(f"the runner does not compile: {said[0]}")
    return program


def time(
    program: Path, fixtures: Sequence[Path], turns: int, warm: int, calls: int
) -> list[list[Turn]]:
    """Call each fixture's function ``calls`` times in each of ``turns`` turns; returns its turns.

    The processes take turns on one CPU, each first with ``warm`` calls that are not timed. Raises
    RunnerError.
    """
    cpu = max(os.sched_getaffinity(0))
    with ExitStack() as stack:
        processes = [
            stack.enter_context(_Process(program, fixture, cpu)) for fixture in fixtures
        ]
        found: list[list[Turn]] = [[] for _ in processes]
        for _ in range(turns):
            for process, made in zip(processes, found, strict=True):
                made.append(process.turn(warm, calls))
    return found


class _Process:
    """A process that has mapped a fixture."""

    def __init__(self, program: Path, fixture: Path, cpu: int) -> None:
        self._process = subprocess.Popen(
            [program, fixture, str(cpu)],
            env=environment(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def __enter__(self) -> _Process:
        if self._line().strip() != READY:
            raise RunnerError(self._failure())
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.communicate()

    def turn(self, warm: int, calls: int) -> Turn:
        """Take a turn. Raises RunnerError if the process fails."""
        stdin = self._process.stdin
        assert stdin is not None
        try:
            stdin.write(f"{warm} {calls}\n")
            stdin.flush()
        except OSError as error:
            raise RunnerError(self._failure()) from error
        numbers = [int(word) for word in self._line().split()]
        if len(numbers) != 7:
            raise RunnerError(self._failure())
        tsc, ns, core, *empty = (number / calls for number in numbers[:6])
        return Turn(tsc, ns, core, (empty[0], empty[1], empty[2]), CHAIN / numbers[6])

    def _line(self) -> str:
        stdout = self._process.stdout
        assert stdout is not None
        return stdout.readline() if _is_ready(stdout) else ""

    def _failure(self) -> str:
        """Why the process gave no answer."""
        try:
            status = self._process.wait(ENDING)
        except subprocess.TimeoutExpired:
            self._process.kill()
            return f"the process gave no answer in {TIMEOUT:.0f} s"
        said = self._process.communicate()[1].strip().splitlines()
        return said[0] if said else f"the process was killed by signal {-status}"


def _is_ready(stream: IO[str]) -> bool:
    """Whether a stream has something to read before the time limit."""
    return bool(select.select([stream], [], [], TIMEOUT)[0])


def supported() -> str:
    """Why this system cannot run kernel code in a process; empty if it can."""
    if sys.platform != "linux" or os.uname().machine != "x86_64":
        return "kernel code runs natively on x86-64 Linux only"
    return ""
