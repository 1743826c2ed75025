# SPDX-License-Identifier: GPL-2.0
"""All programs end, with what they started in sessions of their own."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

from hotcocci.stop import is_asleep

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


def running(process: int) -> bool:
    try:
        # An orphan remains a zombie if nobody reaps it.
        return ") Z " not in Path(f"/proc/{process}/stat").read_text()
    except FileNotFoundError:
        return False


def test_children_of_children_end(tmp_path: Path) -> None:
    ran = subprocess.run(
        [sys.executable, "-c", CODE, ROOT, tmp_path],
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.stdout == "-9\n", ran.stderr
    deadline = time.monotonic() + 30
    for name in ("one", "two"):
        while running(int((tmp_path / name).read_text())):
            assert time.monotonic() < deadline
            time.sleep(0.02)


def test_a_process_that_has_ended_is_not_asleep() -> None:
    child = subprocess.Popen([sys.executable, "-c", ""])
    child.wait()
    assert not is_asleep(child.pid)
