# SPDX-License-Identifier: GPL-2.0
"""Runs end with all programs that they started, and leave no temporary files."""

import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from hotcocci.stop import PREFIX, is_asleep, own_folder, place
from tests.shared import is_running, launch, wait_for

ROOT = Path(__file__).resolve().parents[1]
# A program that starts one in a session of its own, as prove does with gcc, and an own child.
CODE = """
import os, subprocess, sys, time
sys.path.insert(0, sys.argv[1])
from hotcocci.stop import is_stopped, stop_all
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
from hotcocci.stop import own_folder
with own_folder():
    tempfile.mkdtemp()
    print(os.environ["TMPDIR"], flush=True)
    os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.fixture(autouse=True)
def where(tmp_path, monkeypatch) -> Path:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr(tempfile, "tempdir", None)
    return tmp_path


def test_the_folder_of_a_killed_run_is_removed_by_the_next(where):
    said = launch([sys.executable, "-c", KILLED]).stdout
    left = Path(said.strip())
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


def test_nowhere_to_write(monkeypatch):
    def full(*_: object, **__: object) -> str:
        raise OSError

    monkeypatch.setattr(tempfile, "mkdtemp", full)
    with own_folder():
        assert place() == tempfile.gettempdir()
