# SPDX-License-Identifier: GPL-2.0
"""Work distributed over processes returns in order."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from hotcocci.errors import UserError
from hotcocci.pool import spread


def where(item: int) -> tuple[int, int]:
    return item * 2, os.getpid()


@pytest.mark.parametrize(("jobs", "least"), [(1, 1), (2, 1000)])
def test_little_work_stays_in_this_process(jobs: int, least: int) -> None:
    results = spread(where, range(100), jobs, least)
    assert results == [(2 * n, os.getpid()) for n in range(100)]


def test_much_work_is_distributed_and_ordered() -> None:
    results = spread(where, range(1000), 2, 10)
    assert [result for result, _ in results] == [2 * n for n in range(1000)]
    assert os.getpid() not in {pid for _, pid in results}


def fail(item: int) -> int:
    raise ValueError(item)


def test_an_error_is_raised() -> None:
    with pytest.raises(ValueError):
        spread(fail, range(100), 2, 10)


def die(item: int) -> int:
    if item == 50:
        os.kill(os.getpid(), signal.SIGKILL)
    return item


def test_a_killed_process_is_an_error() -> None:
    with pytest.raises(UserError, match="a process was killed"):
        spread(die, range(100), 2, 10)


@pytest.mark.parametrize("jobs", [1, 2])
def test_each_step_is_shown(jobs: int) -> None:
    steps: list[tuple[int, int]] = []
    spread(abs, range(100), jobs, 10, lambda done, total: steps.append((done, total)))
    assert steps[-1] == (100, 100) and steps == sorted(steps)


# Ctrl-C and 'timeout' send their signal to the whole process group.
STOPPED = """
import sys, time
sys.path.insert(0, sys.argv[1])
from hotcocci.cli import stopping
from hotcocci.pool import spread
stopping.install()
try:
    print("started", flush=True)
    spread(time.sleep, [1000] * 100, 2, 10)
except KeyboardInterrupt:
    stopping.leave()
"""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_to_all_processes(number: signal.Signals) -> None:
    command = [sys.executable, "-c", STOPPED, str(Path(__file__).resolve().parents[1])]
    for pause in (0.0, 0.3):
        with subprocess.Popen(
            command,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        ) as process:
            assert process.stdout and process.stdout.readline()
            time.sleep(pause)
            os.killpg(process.pid, number)
            assert process.wait(30) == 128 + number
