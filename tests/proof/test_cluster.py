# SPDX-License-Identifier: GPL-2.0
"""Tasks on workers of a real local scheduler: workers that die or differ, clients that go, and TLS."""

from __future__ import annotations

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

RUN = Path(__file__).resolve().parents[2] / "run.py"
FIXTURES = RUN.parent / "kernel-fixtures"


Make = Callable[..., Path]
Done = dict[str, tuple[Execution, ...]]

# A minimal kbuild: a command for every object.
MAKEFILE = """\
O ?= .
%.o: %.c FORCE
	cd $(O); gcc -I$(CURDIR)/include -c -o $@ $(CURDIR)/$<
FORCE:
"""


@pytest.fixture(scope="module")
def scheduler(builds: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
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
    argv: Sequence[object],
    folder: Path,
    extra: Mapping[str, str] | None = None,
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


def _files(count: int) -> dict[str, str]:
    return {f"f{number}.c": f"int f{number};\n" for number in range(count)}


def _tasks(root: Path, cache: Path, files: Sequence[str]) -> list[Task]:
    texts = [(file, (root / file).read_text()) for file in files]
    build = prepare(root, HOST, cache)
    return tasks(build, [(file, text, f"{text}int g;\n") for file, text in texts])


def _done(outcomes: Iterator[tuple[Task, tuple[Execution, ...]]]) -> Done:
    return {task.file: results for task, results in outcomes}


def _run(todo: Sequence[Task], scheduler: str) -> Iterator[cluster.Outcome]:
    return cluster.run_all(todo, scheduler, 1)


@pytest.mark.slow
def test_one_of_two_workers_is_killed(
    scheduler: str, small_tree: Make, tmp_path: Path
) -> None:
    root = small_tree({"Makefile": MAKEFILE, **_files(8)})
    todo = _tasks(root, tmp_path / "cache", list(_files(8)))
    with (
        _worker(scheduler, tmp_path / "one") as killed,
        _worker(scheduler, tmp_path / "two"),
    ):
        results: Done = {}
        for task, found in _run(todo, scheduler):
            assert task.file not in results
            results[task.file] = found
            if len(results) == 3:
                killed.kill()
    assert killed.returncode == -signal.SIGKILL
    assert results == _done(run_all(todo, 2))
    # The workers keep nothing.
    assert not list(tmp_path.glob("*/hotcocci"))


@pytest.fixture
def other_hotcocci(tmp_path: Path) -> Path:
    """A folder with a copy of hotcocci in which one line differs."""
    ours = RUN.parent / "hotcocci"
    shutil.copytree(
        ours, tmp_path / "other/hotcocci", ignore=shutil.ignore_patterns("*.pyc")
    )
    with (tmp_path / "other/hotcocci/names.py").open("a") as stream:
        stream.write("OTHER = 1\n")
    return tmp_path / "other"


def test_a_worker_with_another_hotcocci(
    scheduler: str, small_tree: Make, tmp_path: Path, other_hotcocci: Path
) -> None:
    todo = _tasks(small_tree({"Makefile": MAKEFILE, **_files(1)}), tmp_path, ["f0.c"])
    said = r"on \S+ has hotcocci \w+, and the client"
    extra = {"PYTHONPATH": str(other_hotcocci)}
    # At the start, and if it comes later.
    with _worker(scheduler, tmp_path / "one", extra=extra):
        with pytest.raises(UserError, match=said) as later:
            list(_run(todo, scheduler))
        with pytest.raises(UserError, match=said) as first:
            cluster.check(scheduler)
    assert "\n" not in str(later.value) + str(first.value)


@pytest.mark.slow
def test_the_same_bytes(scheduler: str, tmp_path: Path) -> None:
    argv = [sys.executable, RUN, "prove", FIXTURES / "classic", "--format", "json"]
    argv += ["--quiet", "--churn", "--tier", "prepared", "--cache-dir"]
    here = subprocess.run([*argv, tmp_path / "a"], capture_output=True, check=False)
    with _worker(scheduler, tmp_path / "one"):
        there = subprocess.run(
            [*argv, tmp_path / "b", "--scheduler", scheduler],
            capture_output=True,
            check=False,
        )
    assert here.returncode == there.returncode == 1
    assert b'"verdict": "not proven"' in here.stdout
    assert there.stdout == here.stdout
    moved = there.stderr.replace(bytes(tmp_path / "b"), bytes(tmp_path / "a"))
    assert moved == here.stderr


@pytest.mark.slow
@pytest.mark.parametrize("sent", [signal.SIGSTOP, signal.SIGKILL])
def test_the_scheduler_is_lost(
    sent: signal.Signals, small_tree: Make, tmp_path: Path
) -> None:
    # A worker may take long to start on a busy machine.
    patience = cluster.Patience(answer=2.0, alone=120.0)
    files = list(_files(4))
    todo = _tasks(small_tree({"Makefile": MAKEFILE, **_files(4)}), tmp_path, files)
    done: list[Task] = []
    with _scheduler(tmp_path) as (process, address), _worker(address, tmp_path / "one"):
        with pytest.raises(UserError, match="lost the scheduler"):
            for task, _ in cluster.run_all(todo, address, 1, patience=patience):
                done.append(task)
                if len(done) == 1:
                    process.send_signal(sent)
        process.send_signal(signal.SIGCONT)
    assert 1 <= len(done) < 4


@pytest.mark.whole
@pytest.mark.parametrize("address", ["nonsense", "127.0.0.1:1"])
def test_no_scheduler_at_the_address(
    address: str, small_tree: Make, capsys: pytest.CaptureFixture[str]
) -> None:
    argv = ["prove", str(small_tree({})), "--scheduler", address]
    assert main(argv) == 2
    output = capsys.readouterr().err
    assert output.count("\n") == 1 and f"no scheduler answers at '{address}'" in output


def _outside() -> str:
    # Slow to import, in every worker
    from distributed.utils import get_ip

    return str(get_ip())


@pytest.mark.whole
def test_an_address_that_others_reach(tmp_path: Path) -> None:
    with _scheduler(tmp_path, host=_outside()) as (_, address):
        if address.startswith("tcp://127."):
            pytest.fail("this machine has no other address than that of the loopback")
        with pytest.raises(UserError, match="is another machine without TLS"):
            cluster.check(address)
        cluster.check(address, insecure=True)


@pytest.mark.slow
def test_tls(small_tree: Make, tmp_path: Path) -> None:
    import dask

    key, cert = tmp_path / "key.pem", tmp_path / "cert.pem"
    argv = (
        "openssl req -x509 -newkey rsa:2048 -nodes -days 1 -subj /CN=hotcocci".split()
    )
    subprocess.run(
        [*argv, "-keyout", key, "-out", cert], check=True, capture_output=True
    )
    options = ["--tls-ca-file", cert, "--tls-cert", cert, "--tls-key", key]
    todo = _tasks(small_tree({"Makefile": MAKEFILE, **_files(2)}), tmp_path, ["f0.c"])
    encrypted = _scheduler(tmp_path, "--protocol", "tls", *options, host=_outside())
    with (
        encrypted as (_, address),
        _worker(address, tmp_path / "one", "--no-nanny", *options),
    ):
        assert address.startswith("tls://")
        with pytest.raises(UserError, match="configure dask's certificates for it"):
            cluster.check(address)
        with dask.config.set(
            {
                "distributed.comm.tls.ca-file": str(cert),
                "distributed.comm.tls.client.cert": str(cert),
                "distributed.comm.tls.client.key": str(key),
            }
        ):
            cluster.check(address)
            assert _done(_run(todo, address)) == _done(run_all(todo, 1))


def test_without_the_library(
    small_tree: Make,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    argv = ["prove", str(small_tree({})), "--scheduler", "tcp://127.0.0.1:1"]
    assert main(argv) == 2
    output = capsys.readouterr().err
    assert output.count("\n") == 1 and "run.py --setup prove --scheduler" in output


def test_finished_tasks_are_not_repeated(small_tree: Make, tmp_path: Path) -> None:
    root = small_tree({"Makefile": MAKEFILE, **_files(3)})
    todo = _tasks(root, tmp_path, list(_files(3)))
    started: list[list[str]] = []

    def runner(
        some: Sequence[Task],
    ) -> Iterator[tuple[Task, tuple[Execution, ...]]]:
        started.append([task.file for task in some])
        for task in some:
            lost = task.file == "f0.c" and len(started) < 3
            detail = f"it is Sunday: {AGAIN}" if lost else "known"
            yield task, (Execution("host", task.file, "", NOT_PROVEN, detail),)
            if len(started) == 1 and task.file == "f1.c":
                raise UserError("all workers are gone")

    with pytest.raises(UserError):
        executions(todo, runner, Settings(cache_dir=tmp_path))
    assert executions(todo, runner, Settings(cache_dir=tmp_path)).keys() == {
        (f, "host") for f in _files(3)
    }
    executions(todo, runner, Settings(cache_dir=tmp_path))
    executions(todo, runner, Settings(cache_dir=tmp_path))
    # f0.c could not run the first two times; such results are not cached.
    assert started == [["f0.c", "f1.c", "f2.c"], ["f0.c", "f2.c"], ["f0.c"], []]
