# SPDX-License-Identifier: GPL-2.0
"""Tasks on workers of a real local scheduler: workers that die, differ, or lack the tree."""

from __future__ import annotations

import json
import os
import platform
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest

from hotcocci.cli.main import main
from hotcocci.errors import UserError
from hotcocci.findings import NOT_PROVEN, PROVEN, Execution
from hotcocci.pipeline.executions import executions
from hotcocci.pipeline.settings import Settings
from hotcocci.proof.cluster import content, run, station
from hotcocci.proof.executions import run_all
from hotcocci.proof.task import NO_WORKER, Task, tasks
from hotcocci.tree.build import Build, prepare
from hotcocci.tree.command import Command
from hotcocci.tree.targets.host import HOST

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
# When make builds poison.o, it kills its parent and grandparent: the process that called it, and the
# worker.
POISON = """
ifneq ($(filter poison.o,$(MAKECMDGOALS)),)
$(shell test -e {armed} && asks=$$(cut -d' ' -f4 /proc/$$PPID/stat) && \
	kill -9 $$asks $$(cut -d' ' -f4 /proc/$$asks/stat))
endif
"""


@pytest.fixture(scope="module")
def scheduler(builds: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a scheduler without workers."""
    with _scheduler(tmp_path_factory.mktemp("scheduler")) as (_, address):
        yield address


@contextmanager
def _scheduler(folder: Path) -> Iterator[tuple[subprocess.Popen[bytes], str]]:
    file = folder / "scheduler.json"
    argv = ["dask_scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard"]
    with _dask([*argv, "--scheduler-file", file], folder) as process:
        deadline = time.monotonic() + 60
        while not (file.exists() and file.read_text().endswith("}")):
            assert process.poll() is None and time.monotonic() < deadline
            time.sleep(0.05)
        yield process, json.loads(file.read_text())["address"]


@contextmanager
def _worker(
    scheduler: str, folder: Path, *options: str, path: str = "", threads: int = 1
) -> Iterator[subprocess.Popen[bytes]]:
    """A worker with a separate cache folder."""
    folder.mkdir(exist_ok=True)
    given = options or ("--no-nanny",)
    argv = ["dask_worker", scheduler, "--nthreads", str(threads), *given]
    argv.append("--no-dashboard")
    extra = {"XDG_CACHE_HOME": str(folder)}
    if path:
        extra["PATH"] = f"{path}:{os.environ['PATH']}"
    with _dask([*argv, "--local-directory", folder], folder, extra) as process:
        yield process


@contextmanager
def _dask(
    argv: Sequence[object], folder: Path, extra: dict[str, str] | None = None
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
        for task, found in run.run_all(todo, scheduler):
            assert task.file not in results
            results[task.file] = found
            if len(results) == 3:
                killed.kill()
    assert killed.returncode == -signal.SIGKILL
    assert results == _done(run_all(todo, 2))
    # The tree is valid here: the worker used it in place.
    assert not list(tmp_path.glob("*/hotcocci/trees"))


def test_a_task_that_kills_its_workers(
    scheduler: str, small_tree: Make, tmp_path: Path
) -> None:
    armed = tmp_path / "armed"
    poison = {"poison.c": "int p;\n", **_files(2)}
    root = small_tree({"Makefile": MAKEFILE + POISON.format(armed=armed), **poison})
    todo = _tasks(root, tmp_path / "cache", list(poison))
    expected = _done(run_all(todo, 1))
    armed.touch()
    # The worker must run kbuild itself, as its folders may have other names.
    with _worker(scheduler, tmp_path / "one", "--nanny", threads=2):
        results = _done(run.run_all(_without_saved_commands(todo), scheduler))
    (lost,) = results.pop("poison.c")
    assert lost.verdict == NOT_PROVEN
    assert lost.detail.startswith(f"{NO_WORKER}: 3 workers ended while they ran it")
    del expected["poison.c"]
    assert results == expected


def _without_saved_commands(todo: Sequence[Task]) -> Sequence[Task]:
    """Drop the saved kbuild commands of the tasks' files."""
    for task in todo:
        for command in task.commands:
            out = task.build.out.parent
            (out / "commands" / f"{command.file}.json").unlink()
    return todo


def test_the_tree_is_fetched_once(
    scheduler: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, small_tree: Make
) -> None:
    """The path of the tree differs in every process, so workers do not find it."""
    name = f"linux-{os.getpid()}"
    root = small_tree({"Makefile": MAKEFILE, **_files(3)}, name)
    (root / "scripts").mkdir()
    (root / "scripts/link").symlink_to("../f0.c")
    (root / "scripts/run.sh").write_text("true\n")
    (root / "scripts/run.sh").chmod(0o755)
    (root / "Documentation").mkdir()
    (root / "Documentation/index.rst").write_text("Text\n")
    (root / "Documentation/Kconfig").write_text("")
    monkeypatch.chdir(tmp_path)
    tree = Path("/proc/self/cwd") / name
    known = prepare(root, HOST, tmp_path / "cache")
    build = Build(tree, known.out, HOST, known.checkflags, known.objtool)
    todo = [
        Task(build, file, text, f"{text}int g;\n", (Command(file, ()),))
        for file, text in _files(3).items()
    ]
    expected = _done(run_all(_tasks(root, tmp_path / "cache", list(_files(3))), 1))
    shared = tmp_path / "shared"
    for unused in ("of-a-change-ago", "incoming/of-a-killed-client"):
        left = shared / "hotcocci/trees" / unused
        left.mkdir(parents=True)
        os.utime(left, (0, 0))
    with _worker(scheduler, shared), _worker(scheduler, shared):
        assert _done(run.run_all(todo, scheduler)) == expected
        home = shared / "hotcocci/trees"
        (fetched,) = (folder for folder in home.iterdir() if folder.name != "incoming")
        assert not list((home / "incoming").iterdir())
        assert content.files(fetched) == content.files(root)
        assert "Documentation/Kconfig" in content.files(fetched)
        assert not (fetched / "Documentation/index.rst").exists()
        assert content.name(fetched) == content.name(root) == fetched.name
        same = fetched.stat().st_ino
        assert _done(run.run_all(todo, scheduler)) == expected
        assert fetched.stat().st_ino == same


def test_a_worker_with_another_compiler(
    scheduler: str, small_tree: Make, tmp_path: Path
) -> None:
    root = small_tree({"Makefile": MAKEFILE, **_files(3)})
    todo = _tasks(root, tmp_path / "cache", list(_files(3)))
    programs = tmp_path / "programs"
    programs.mkdir()
    (programs / "gcc").write_text("#!/bin/sh\necho 'gcc (Other) 99'\n")
    (programs / "gcc").chmod(0o755)
    with _worker(scheduler, tmp_path / "other", path=str(programs)):
        results = _done(run.run_all(todo, scheduler))
        for (execution,) in results.values():
            assert execution.verdict == NOT_PROVEN
            assert execution.detail.startswith(f"{NO_WORKER}: {socket.gethostname()}: ")
            assert "it has gcc (Other) 99, and the client has" in execution.detail
        with _worker(scheduler, tmp_path / "same"):
            deadline = time.monotonic() + 60
            while NO_WORKER in str(results) and time.monotonic() < deadline:
                results = _done(run.run_all(todo, scheduler))
    assert results == _done(run_all(todo, 1))


def test_a_worker_with_other_libraries(
    scheduler: str, small_tree: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = small_tree({"Makefile": MAKEFILE, **_files(1)})
    todo = _tasks(root, tmp_path / "cache", ["f0.c"])
    with _worker(scheduler, tmp_path / "one"):
        with monkeypatch.context() as patch:
            patch.setattr(platform, "python_version_tuple", lambda: ("3", "99", "0"))
            ((python,),) = _done(run.run_all(todo, scheduler)).values()
        older = tmp_path / "older/unicorn-0.1.dist-info"
        older.mkdir(parents=True)
        (older / "METADATA").write_text("Name: unicorn\nVersion: 0.1\n")
        monkeypatch.syspath_prepend(older.parent)
        ((unicorn,),) = _done(run.run_all(todo, scheduler)).values()
    assert python.verdict == unicorn.verdict == NOT_PROVEN
    assert "and the client has 3.99" in python.detail
    assert "and the client has unicorn 0.1" in unicorn.detail


def test_a_real_file(scheduler: str, prepared_build: Build, tmp_path: Path) -> None:
    file = "drivers/watchdog/wdt.c"
    old = (prepared_build.tree / file).read_text()
    new = old.replace("get_user(c, buf + i)", "get_user(c, &buf[i])")
    assert new != old
    todo = tasks(prepared_build, [(file, old, new)])
    with _worker(scheduler, tmp_path / "one"):
        results = _done(run.run_all(todo, scheduler))
    assert results == _done(run_all(todo, 1))
    assert [execution.verdict for execution in results[file]] == [PROVEN]


def test_the_same_bytes(scheduler: str, tmp_path: Path) -> None:
    argv = [sys.executable, RUN, "prove", FIXTURES / "classic", "--format", "json"]
    argv += ["--churn", "--tier", "prepared", "--cache-dir"]
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


class _Wait:
    """A client whose wait for a call ends in an error; ``status`` is that of the call."""

    def __init__(self, error: Exception, status: str) -> None:
        self.error, self.status = error, status

    def submit(self, *_arguments: object, **_options: object) -> _Wait:
        return self

    def result(self, timeout: float) -> None:
        raise self.error

    def cancel(self) -> None:
        pass


def test_a_wait_that_distributed_ends_is_not_the_workers_fault() -> None:
    def ask(error: Exception, status: str) -> None:
        cluster = station.Cluster(_Wait(error, status), KeyError, ("", b""))
        station.ask(cluster, station.Station("tcp://a:1"), len)

    with pytest.raises(station.Gone) as gone:
        ask(UnboundLocalError("response"), "pending")
    assert not gone.value.worker
    with pytest.raises(station.Unfit, match="OSError: no room"):
        ask(OSError("no room"), "error")


def test_no_worker_at_all(scheduler: str, small_tree: Make, tmp_path: Path) -> None:
    todo = _tasks(small_tree({"Makefile": MAKEFILE, **_files(1)}), tmp_path, ["f0.c"])
    with pytest.raises(UserError, match="has had no worker for 2 s"):
        list(run.run_all(todo, scheduler, run.Patience(alone=2.0)))


@pytest.mark.parametrize("sent", [signal.SIGSTOP, signal.SIGKILL])
def test_the_scheduler_is_lost(
    sent: signal.Signals, small_tree: Make, tmp_path: Path
) -> None:
    # A worker may take long to start on a busy machine.
    patience = run.Patience(answer=2.0, silent=4.0, alone=120.0)
    files = list(_files(4))
    todo = _tasks(small_tree({"Makefile": MAKEFILE, **_files(4)}), tmp_path, files)
    done: list[Task] = []
    with _scheduler(tmp_path) as (process, address), _worker(address, tmp_path / "one"):
        with pytest.raises(UserError, match="lost the scheduler"):
            for task, _ in run.run_all(todo, address, patience):
                done.append(task)
                if len(done) == 1:
                    process.send_signal(sent)
        process.send_signal(signal.SIGCONT)
    assert 1 <= len(done) < 4


@pytest.mark.parametrize("address", ["", "nonsense", "what://host:1", "127.0.0.1:1"])
def test_no_scheduler_at_the_address(
    address: str, small_tree: Make, capsys: pytest.CaptureFixture[str]
) -> None:
    argv = ["prove", str(small_tree({})), "--scheduler", address]
    assert main(argv) == 2
    output = capsys.readouterr().err
    assert output.count("\n") == 1 and f"no scheduler answers at '{address}'" in output


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
            detail = f"{NO_WORKER}: it is Sunday" if lost else "known"
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
