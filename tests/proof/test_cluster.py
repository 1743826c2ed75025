# SPDX-License-Identifier: GPL-2.0
"""Tasks on workers of a real local scheduler: workers that die or differ, clients that go, and TLS."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest

from hotcocci.cli.main import main
from hotcocci.errors import AGAIN, UserError
from hotcocci.findings import NOT_PROVEN, Execution
from hotcocci.pipeline.checks import executions
from hotcocci.pipeline.settings import Settings
from hotcocci.proof import cluster
from hotcocci.proof.task import Task, run_all, tasks
from hotcocci.tree.build import prepare
from hotcocci.tree.targets import HOST
from tests.shared import FIXTURES, launch

RUN = Path(__file__).resolve().parents[2] / "run.py"


Done = dict[str, tuple[Execution, ...]]

# A minimal kbuild: a command for every object.
MAKEFILE = """\
O ?= .
%.o: %.c FORCE
	cd $(O); gcc -I$(CURDIR)/include -c -o $@ $(CURDIR)/$<
FORCE:
"""


@pytest.fixture(scope="module")
def scheduler(builds, tmp_path_factory) -> Iterator[str]:
    """The address of a scheduler without workers."""
    with _scheduler(tmp_path_factory.mktemp("scheduler")) as (_, address):
        yield address


@contextmanager
def _scheduler(
    folder: Path, *options: object, host: str = "127.0.0.1"
) -> Iterator[tuple[subprocess.Popen[bytes], str]]:
    file = folder / "scheduler.json"
    argv = ["dask_scheduler", "--host", host, "--port", "0", "--no-dashboard", *options]
    with _dask([*argv, "--scheduler-file", file], folder) as process:
        deadline = time.monotonic() + 60
        while not (file.exists() and file.read_text().endswith("}")):
            assert process.poll() is None and time.monotonic() < deadline
            time.sleep(0.05)
        yield process, json.loads(file.read_text())["address"]


@contextmanager
def _worker(
    scheduler: str,
    folder: Path,
    *options: object,
    extra: Mapping[str, str] | None = None,
) -> Iterator[subprocess.Popen[bytes]]:
    """A worker with one thread."""
    folder.mkdir(exist_ok=True)
    environment = {"XDG_CACHE_HOME": str(folder), **(extra or {})}
    argv = ["dask_worker", scheduler, "--nthreads", "1", *(options or ("--no-nanny",))]
    argv += ["--no-dashboard", "--local-directory", folder]
    with _dask(argv, folder, environment) as process:
        yield process


@contextmanager
def _dask(
    argv: Sequence[object], folder: Path, extra: Mapping[str, str] | None = None
) -> Iterator[subprocess.Popen[bytes]]:
    module, *arguments = map(str, argv)
    with (folder / "log").open("ab") as log:
        process = subprocess.Popen(
            [sys.executable, "-m", f"distributed.cli.{module}", *arguments],
            stdout=log,
            stderr=log,
            cwd=folder,
            env={**os.environ, **(extra or {})},
        )
    try:
        yield process
    finally:
        # A nanny stops its worker only when terminated itself.
        process.terminate()
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _done(outcomes: Iterator[tuple[Task, tuple[Execution, ...]]]) -> Done:
    return {task.file: results for task, results in outcomes}


def _run(todo: Sequence[Task], scheduler: str) -> Iterator[cluster.Outcome]:
    return cluster.run_all(todo, scheduler, 1)


@pytest.fixture
def todo(small_tree, tmp_path) -> Callable[[int], list[Task]]:
    """The tasks of a small tree with so many files, each of which changes."""

    def made(count: int) -> list[Task]:
        texts = {f"f{number}.c": f"int f{number};\n" for number in range(count)}
        build = prepare(
            small_tree({"Makefile": MAKEFILE, **texts}), HOST, tmp_path / "cache"
        )
        return tasks(build, [(f, text, f"{text}int g;\n") for f, text in texts.items()])

    return made


@pytest.mark.slow
def test_one_of_two_workers_is_killed(scheduler, todo, tmp_path):
    waiting = todo(8)
    with (
        _worker(scheduler, tmp_path / "one") as killed,
        _worker(scheduler, tmp_path / "two"),
    ):
        results: Done = {}
        for task, found in _run(waiting, scheduler):
            assert task.file not in results
            results[task.file] = found
            if len(results) == 3:
                killed.kill()
    assert killed.returncode == -signal.SIGKILL
    assert results == _done(run_all(waiting, 2))
    # The workers keep nothing.
    assert not list(tmp_path.glob("*/hotcocci"))


def test_a_worker_with_another_hotcocci(scheduler, todo, tmp_path):
    copy = tmp_path / "other/hotcocci"
    without = shutil.ignore_patterns("*.pyc")
    shutil.copytree(RUN.parent / "hotcocci", copy, ignore=without)
    with (copy / "names.py").open("a") as stream:
        stream.write("OTHER = 1\n")
    said = r"on \S+ has hotcocci \w+, and the client"
    # At the start, and if it comes later.
    with _worker(scheduler, tmp_path / "one", extra={"PYTHONPATH": str(copy.parent)}):
        with pytest.raises(UserError, match=said) as later:
            list(_run(todo(1), scheduler))
        with pytest.raises(UserError, match=said) as first:
            cluster.check(scheduler)
    assert "\n" not in str(later.value) + str(first.value)


@pytest.mark.slow
def test_the_same_bytes(scheduler, tmp_path):
    argv = [sys.executable, RUN, "prove", FIXTURES / "classic", "--format", "json"]
    argv += ["--quiet", "--churn", "--tier", "prepared", "--cache-dir"]
    here = launch([*argv, tmp_path / "a"])
    with _worker(scheduler, tmp_path / "one"):
        there = launch([*argv, tmp_path / "b", "--scheduler", scheduler])
    assert here.returncode == there.returncode == 1
    assert '"verdict": "not proven"' in here.stdout
    assert there.stdout == here.stdout
    moved = there.stderr.replace(str(tmp_path / "b"), str(tmp_path / "a"))
    assert moved == here.stderr


@pytest.mark.slow
@pytest.mark.parametrize("sent", [signal.SIGSTOP, signal.SIGKILL])
def test_the_scheduler_is_lost(sent, todo, tmp_path):
    # A worker may take long to start on a busy machine.
    patience = cluster.Patience(answer=2.0, alone=120.0)
    waiting = todo(4)
    done: list[Task] = []
    with _scheduler(tmp_path) as (process, address), _worker(address, tmp_path / "one"):
        with pytest.raises(UserError, match="lost the scheduler"):
            for task, _ in cluster.run_all(waiting, address, 1, patience=patience):
                done.append(task)
                if len(done) == 1:
                    process.send_signal(sent)
        process.send_signal(signal.SIGCONT)
    assert 1 <= len(done) < 4


@pytest.mark.parametrize(
    ("address", "says"),
    [
        pytest.param("nonsense", "answers at 'nonsense'", marks=pytest.mark.whole),
        pytest.param("127.0.0.1:1", "at '127.0.0.1:1'", marks=pytest.mark.whole),
        ("tcp://127.0.0.1:1", "run.py --setup prove --scheduler"),
    ],
)
def test_no_scheduler_at_the_address(address, says, small_tree, capsys, monkeypatch):
    if "--setup" in says:
        monkeypatch.setitem(sys.modules, "distributed", None)
    assert main(["prove", str(small_tree({})), "--scheduler", address]) == 2
    output = capsys.readouterr().err
    assert output.count("\n") == 1 and says in output


def _outside() -> str:
    # Slow to import, in every worker
    from distributed.utils import get_ip

    return str(get_ip())


@pytest.mark.whole
def test_an_address_that_others_reach(tmp_path):
    with _scheduler(tmp_path, host=_outside()) as (_, address):
        if address.startswith("tcp://127."):
            pytest.fail("this machine has no other address than that of the loopback")
        with pytest.raises(UserError, match="is another machine without TLS"):
            cluster.check(address)
        cluster.check(address, insecure=True)


@pytest.mark.slow
def test_tls(todo, tmp_path):
    import dask

    key, cert = tmp_path / "key.pem", tmp_path / "cert.pem"
    argv = "openssl req -x509 -newkey rsa:2048 -nodes -days 1 -subj /CN=hotcocci"
    argv += f" -keyout {key} -out {cert}"
    subprocess.run(argv.split(), check=True, capture_output=True)
    options = ["--tls-ca-file", cert, "--tls-cert", cert, "--tls-key", key]
    waiting = todo(1)
    encrypted = _scheduler(tmp_path, "--protocol", "tls", *options, host=_outside())
    with (
        encrypted as (_, address),
        _worker(address, tmp_path / "one", "--no-nanny", *options),
    ):
        assert address.startswith("tls://")
        with pytest.raises(UserError, match="configure dask's certificates for it"):
            cluster.check(address)
        files = {"ca-file": cert, "client.cert": cert, "client.key": key}
        with dask.config.set(
            {f"distributed.comm.tls.{name}": str(file) for name, file in files.items()}
        ):
            cluster.check(address)
            assert _done(_run(waiting, address)) == _done(run_all(waiting, 1))


def test_finished_tasks_are_not_repeated(todo, tmp_path):
    waiting = todo(3)
    started: list[list[str]] = []

    def runner(some: Sequence[Task]) -> Iterator[tuple[Task, tuple[Execution, ...]]]:
        started.append([task.file for task in some])
        for task in some:
            lost = task.file == "f0.c" and len(started) < 3
            detail = f"it is Sunday: {AGAIN}" if lost else "known"
            yield task, (Execution("host", task.file, "", NOT_PROVEN, detail),)
            if len(started) == 1 and task.file == "f1.c":
                raise UserError("all workers are gone")

    settings = Settings(cache_dir=tmp_path)
    with pytest.raises(UserError):
        executions(waiting, runner, settings)
    found = executions(waiting, runner, settings)
    assert found.keys() == {(task.file, "host") for task in waiting}
    for _ in range(2):
        executions(waiting, runner, settings)
    # f0.c could not run the first two times; such results are not cached.
    assert started == [["f0.c", "f1.c", "f2.c"], ["f0.c", "f2.c"], ["f0.c"]]
