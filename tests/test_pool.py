# SPDX-License-Identifier: GPL-2.0
"""Work distributed over processes returns in order."""

import errno
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from hotcocci.errors import AGAIN, UserError
from hotcocci.pool import Failure, attempted, spread
from tests.shared import is_running, wait_for


def where(item: int) -> tuple[int, int]:
    return item * 2, os.getpid()


def test_much_work_is_distributed_and_ordered():
    results = [*spread(where, range(1000), 2, 10)]
    made = [result for _, result in results if isinstance(result, tuple)]
    assert [result for result, _ in made] == [2 * n for n in range(1000)]
    assert os.getpid() not in {pid for _, pid in made}


def fail(item: int) -> int:
    if item == 50:
        raise ValueError("bad\nitem")
    if item == 51:
        return fail(51)
    if item == 52:
        raise MemoryError
    if item == 53:
        raise OSError(errno.EMFILE, "Too many open files")
    while item == 54:
        try:
            item = 54
        except Exception:
            return 0
    return item


@pytest.mark.parametrize("jobs", [1, 2])
def test_an_item_that_fails_does_not_end_the_others(jobs):
    results = dict(spread(fail, range(100), jobs, 10, seconds=1))
    assert {n: r for n, r in results.items() if r != n} == {
        50: Failure("hotcocci fails on it, report this (ValueError: bad)"),
        51: Failure("it is nested too deeply"),
        52: Failure("out of memory: try again"),
        53: Failure("OSError: [Errno 24] Too many open files: try again"),
        54: Failure(
            "it took over 1 s of processor time: with a longer --timeout, try again"
        ),
    }


def ask(item: int) -> int:
    raise UserError("install it")


def test_what_the_user_must_do_is_raised():
    for jobs in (1, 2):
        with pytest.raises(UserError, match="install it"):
            [*spread(ask, range(100), jobs, 10)]


def die(item: int) -> int:
    if item == 50:
        os.kill(os.getpid(), signal.SIGKILL)
    return item


def test_a_killed_process_does_not_end_the_others():
    results = dict(spread(die, range(100), 2, 10))
    ((item, failure),) = [(n, r) for n, r in results.items() if r != n]
    assert item == 50 and isinstance(failure, Failure)
    assert failure.why.startswith("its process was killed")
    assert failure.why.endswith(AGAIN)


@pytest.mark.parametrize("jobs", [1, 2])
def test_each_step_is_shown(jobs):
    steps: list[tuple[int, int]] = []

    def step(done: int, total: int) -> None:
        steps.append((done, total))

    assert len([*spread(abs, range(100), jobs, 10, step)]) == 100
    assert steps[-1] == (100, 100) and steps == sorted(steps)


# Ctrl-C and 'timeout' send their signal to the whole process group.
STOPPED = """
import sys, time
sys.path.insert(0, sys.argv[1])
from hotcocci.cli import main
from hotcocci.pool import spread
main.stop_on_signals()
try:
    print("started", flush=True)
    [*spread(time.sleep, [1000] * 100, 2, 10)]
except KeyboardInterrupt:
    main.leave()
"""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_to_all_processes(number):
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


LEFT = """
import os, sys, time
from pathlib import Path
from hotcocci.pool import spread
def work(item):
    Path(sys.argv[1], str(os.getpid())).touch()
    time.sleep(0.01)
    return item
for _ in spread(work, range(100000), 2, 10):
    pass
"""


def test_workers_end_with_a_killed_parent(tmp_path):
    with subprocess.Popen([sys.executable, "-c", LEFT, str(tmp_path)]) as parent:
        wait_for(lambda: len([*tmp_path.iterdir()]) >= 2)
        parent.kill()
    for worker in tmp_path.iterdir():
        wait_for(lambda: not is_running(int(worker.name)))


def _many(_: int) -> None:
    while True:
        attempted(str, 5, 1)


def test_the_limit_of_an_item_holds_for_all_of_its_parts():
    begun = time.process_time()
    made = attempted(_many, 0.2, 1)
    assert isinstance(made, Failure) and time.process_time() - begun < 2
