# SPDX-License-Identifier: GPL-2.0
"""External programs end when they should, with a controlled environment."""

import errno
import os
import subprocess
import sys
import time
from signal import SIGXCPU

import pytest

from hotcocci.errors import TryAgain
from hotcocci.tree import process
from hotcocci.tree.process import MissingProgram, place, run
from tests.shared import is_running, wait_for


def test_the_environment_is_not_inherited(tmp_path, monkeypatch):
    for name in ("MAKEFLAGS", "ARCH", "KCFLAGS", "LANGUAGE", "OBJTOOL_ARGS"):
        monkeypatch.setenv(name, "of the caller")
    monkeypatch.setenv("LC_ALL", "de_DE.UTF-8")
    seen = run(["env"], tmp_path, 60, extra={"ADDED": "yes"}).out.splitlines()
    assert not [line for line in seen if "of the caller" in line]
    assert {"LC_ALL=C", "ADDED=yes"} <= set(seen)


def test_a_timeout_kills_children_too(tmp_path):
    script = f"sleep 1000 & echo $! > {tmp_path / 'child'}; wait"
    start = time.monotonic()
    with pytest.raises(TryAgain, match="did not end in 5 s"):
        run(["sh", "-c", script], tmp_path, 0.5)
    assert time.monotonic() - start < 30
    child = int((tmp_path / "child").read_text())
    wait_for(lambda: not is_running(child))


def test_a_program_may_read_late_what_no_pipe_holds(tmp_path):
    script = f"sleep {3 * process.LOOK}; wc -c"
    outcome = run(["sh", "-c", script], tmp_path, 5, stdin="x" * (1 << 20), asleep=3)
    assert outcome.out.split() == [str(1 << 20)]


def test_output_without_end(tmp_path, monkeypatch):
    monkeypatch.setattr(process, "MOST", 1 << 20)
    outcome = run(["yes"], tmp_path, 60)
    assert (outcome.status, outcome.err) == (1, "error: it printed over 1 MB")


@pytest.mark.parametrize("script", ["sleep 100", "sleep 100 & kill -KILL $$"])
def test_what_waits_is_ended_with_its_children(tmp_path, script):
    start = time.monotonic()
    command = f"sh -c 'echo $$ > {tmp_path}/child; exec sleep 100' & {script}"
    with pytest.raises(TryAgain, match="perhaps for a pipe"):
        run(["sh", "-c", command], tmp_path, 60, asleep=1)
    assert time.monotonic() - start < 30
    wait_for(lambda: not is_running(int((tmp_path / "child").read_text())))


@pytest.mark.parametrize(
    "script",
    [
        "sleep 60",
        "kill -KILL $$",
        "echo 'cc1: out of memory allocating 65536 bytes' >&2; exit 1",
        "echo 'gcc: internal compiler error: Segmentation fault signal terminated program cc1' >&2; exit 4",
        "echo \"x.s: Fatal error: can't write 2 bytes to x.o: 'No space left on device'\" >&2; exit 1",
        "echo 'a.c:1:1: fatal error: error writing to /tmp/x.s: No space left on device' >&2; exit 1",
        "echo 'a.c:1:10: fatal error: b.h: Too many open files' >&2; exit 1",
        "echo 'gcc: error while loading shared libraries: libz.so: failed to map segment' >&2; exit 127",
        "echo MemoryError >&2; exit 1",
        "echo 'Could not allocate dynamic translator buffer' >&2; exit 1",
        "echo 'make[1]: *** [Makefile:9: a.o] Killed' >&2; exit 2",
    ],
)
def test_a_failure_of_the_machine_is_no_answer(tmp_path, script):
    with pytest.raises(TryAgain, match="try again$"):
        run(["sh", "-c", script], tmp_path, 0.5 if "sleep" in script else 60)


def test_a_full_disk_is_named(tmp_path):
    script = "echo 'conf: error: No space left on device' >&2; exit 1"
    named = f"free some space in ({tmp_path}|{place()}): try again"
    with pytest.raises(TryAgain, match=named):
        run(["sh", "-c", script], tmp_path, 60)


@pytest.mark.parametrize(
    "said",
    [
        "a.c:1:2: error: #error no space left on device",
        "a.c:3:9: warning: unused variable 'out of memory'",
        '    3 | panic("out of memory");',
        "a.c:3:1: fatal error: no_such.h: No such file or directory",
    ],
)
def test_what_a_program_says_of_its_input_is_an_answer(tmp_path, said):
    script = f"cat >&2 <<'END'\n{said}\nEND\nexit 1"
    assert run(["sh", "-c", script], tmp_path, 60).err == f"{said}\n"


def test_a_lack_of_file_descriptors_is_no_answer(tmp_path, monkeypatch):
    def lacking(*_, **__):
        raise OSError(errno.EMFILE, "Too many open files")

    monkeypatch.setattr("subprocess.Popen", lacking)
    with pytest.raises(TryAgain, match="cannot start sh: Too many open files"):
        run(["sh"], tmp_path, 60)


@pytest.mark.whole
def test_the_limit_is_processor_time(tmp_path):
    assert run(["sh", "-c", "sleep 1.5"], tmp_path, 1).status == 0
    busy = "while :; do :; done"
    with pytest.raises(TryAgain, match="^sh took over 1 s of processor time: try"):
        run(["sh", "-c", busy], tmp_path, 1)
    # Its children have the limit, too.
    assert (
        run(["sh", "-c", f"sh -c '{busy}'; exit $?"], tmp_path, 1).status
        == 128 + SIGXCPU
    )
    assert run(["sh", "-c", "ulimit -c; ulimit -t"], tmp_path, 4000).out == "0\n4000\n"
    assert os.listdir(tmp_path) == []


def test_a_missing_program(tmp_path):
    with pytest.raises(MissingProgram, match="no-such-program"):
        run(["no-such-program"], tmp_path, 60)
    # A missing working directory is a different error.
    with pytest.raises(FileNotFoundError):
        run(["sh"], tmp_path / "gone", 60)


PARENT = """
import sys
from pathlib import Path
from hotcocci.tree.process import run
run(["make", "-j4", "-f", sys.argv[1]], Path(sys.argv[2]), 100)
"""
# A make that starts another one, as kbuild does.
NESTED = """all:
\t@$(MAKE) -f $(MAKEFILE_LIST) one two
one two:
\t@echo $$$$ >> {pids}; exec sleep 1000
"""


def test_programs_end_with_a_killed_parent(tmp_path):
    pids, makefile = tmp_path / "pids", tmp_path / "Makefile"
    pids.touch()
    makefile.write_text(NESTED.format(pids=pids))
    command = [sys.executable, "-c", PARENT, str(makefile), str(tmp_path)]
    with subprocess.Popen(command) as parent:
        wait_for(lambda: len(pids.read_text().split()) == 2)
        parent.kill()
    wait_for(lambda: not any(is_running(int(p)) for p in pids.read_text().split()))
