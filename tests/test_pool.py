# SPDX-License-Identifier: GPL-2.0
"""Work distributed over processes returns in order; runs end with all that they started, and leave no temporary files."""

import errno
import os
import signal
import subprocess
import sys
import tempfile
import time
from functools import partial
from pathlib import Path

import pytest

from hotcocci.errors import AGAIN, TryAgain, UserError
from hotcocci.pool import Failure, apart, attempted, spread
from hotcocci.tree.process import PREFIX, is_asleep, own_folder, place
from tests.shared import ROOT, is_running, launch, wait_for


def doubled(item):
    return item * 2, os.getpid()


def test_much_work_is_distributed_and_ordered():
    results = [*spread(doubled, range(1000), 2, 10)]
    made = [result for _, result in results if isinstance(result, tuple)]
    assert [result for result, _ in made] == [2 * n for n in range(1000)]
    assert os.getpid() not in {pid for _, pid in made}


def fail(item):
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


def ask(item):
    raise UserError("install it")


def test_what_the_user_must_do_is_raised():
    for jobs in (1, 2):
        with pytest.raises(UserError, match="install it"):
            [*spread(ask, range(100), jobs, 10)]


def die(item):
    if item == 50:
        os.kill(os.getpid(), signal.SIGKILL)
    return item


def test_a_killed_process_does_not_end_the_others():
    results = dict(spread(die, range(100), 2, 10))
    ((item, failure),) = [(n, r) for n, r in results.items() if r != n]
    assert item == 50 and isinstance(failure, Failure)
    assert failure.why.startswith("its process was killed")
    assert failure.why.endswith(AGAIN)


def _until(last):
    for number in range(100):
        if number == last:
            raise UserError("no more")
        yield die(number)


def test_what_another_process_yields():
    with pytest.raises(UserError, match="no more"):
        [*apart(partial(_until, 3))]
    assert [*apart(partial(range, 3))] == [0, 1, 2]
    with pytest.raises(TryAgain, match="killed"):
        [*apart(partial(_until, 100))]


@pytest.mark.parametrize("jobs", [1, 2])
def test_each_step_is_shown(jobs):
    steps = []

    def step(done, total):
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


def _many(_):
    while True:
        attempted(str, 5, 1)


def test_the_limit_of_an_item_holds_for_all_of_its_parts():
    begun = time.process_time()
    made = attempted(_many, 0.2, 1)
    assert isinstance(made, Failure) and time.process_time() - begun < 2


# A program that starts one in a session of its own, as prove does with gcc, and an own child.
CODE = """
import os, subprocess, sys, time
sys.path.insert(0, sys.argv[1])
from hotcocci.tree.process import is_stopped, stop_all
script = "sleep 1000 & echo $! > " + sys.argv[2] + "/one; setsid sleep 1000 & echo $! > " + sys.argv[2] + "/two; wait"
child = subprocess.Popen(["sh", "-c", script], start_new_session=True)
while not all(os.path.exists(sys.argv[2] + name) for name in ("/one", "/two")):
    time.sleep(0.01)
assert not is_stopped()
stop_all()
assert is_stopped()
print(child.wait(5))
"""


def test_children_of_children_end(tmp_path):
    ran = launch([sys.executable, "-c", CODE, ROOT, tmp_path])
    assert ran.stdout == "-9\n", ran.stderr
    started = [int((tmp_path / name).read_text()) for name in ("one", "two")]
    wait_for(lambda: not any(map(is_running, started)))


def test_a_process_that_has_ended_is_not_asleep():
    child = subprocess.Popen([sys.executable, "-c", ""])
    child.wait()
    assert not is_asleep(child.pid)


KILLED = """
import os, signal, tempfile
from hotcocci.tree.process import own_folder
with own_folder():
    tempfile.mkdtemp()
    print(os.environ["TMPDIR"], flush=True)
    os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.fixture
def where(tmp_path, monkeypatch):
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr(tempfile, "tempdir", None)
    return tmp_path


def test_the_folder_of_a_killed_run_is_removed_by_the_next(where):
    left = Path(launch([sys.executable, "-c", KILLED]).stdout.strip())
    others = [where / "hotcocci-other", where / f"{PREFIX}file"]
    others[0].mkdir()
    others[1].touch()
    assert [*left.iterdir()] != []
    with own_folder():
        # This one is in use.
        own = {*where.iterdir()} - {*others}
        with own_folder():
            assert len({*where.iterdir()} - {*others} - own) == 0
        assert left not in own and len(own) == 1
    assert sorted(where.iterdir()) == sorted(others)


def test_nowhere_to_write(where, monkeypatch):
    def full(*_, **__):
        raise OSError

    monkeypatch.setattr(tempfile, "mkdtemp", full)
    with own_folder():
        assert place() == tempfile.gettempdir()
