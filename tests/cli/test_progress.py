# SPDX-License-Identifier: GPL-2.0
"""What runs is shown: as a bar on a terminal, as lines in a log."""

from __future__ import annotations

import os
import pty
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
# A task within a task, of which only the inner one makes steps.
CODE = """
import sys, time
sys.path.insert(0, sys.argv[1])
from hotcocci.cli import progress
progress.REDRAWN = progress.EVERY = 0.05
with progress.progress("outer"):
    with progress.progress("inner") as show:
        show(3, 12)
        time.sleep(0.3)
        progress.warn("careful")
    time.sleep(0.3)
print("done")
"""
COMMAND = [sys.executable, "-c", CODE, str(ROOT)]


def on_terminal() -> str:
    terminal, own = pty.openpty()
    with subprocess.Popen(COMMAND, stdout=own, stderr=own) as process:
        os.close(own)
        text = b""
        while True:
            try:
                text += os.read(terminal, 65536)
            except OSError:
                break  # It has exited.
        assert process.wait() == 0
    os.close(terminal)
    return text.decode()


def test_a_bar_on_a_terminal() -> None:
    text = on_terminal()
    bars = re.split("\r\x1b\\[K", text)
    assert "hotcocci: inner  [######..................] 3/12  0:00" in bars
    assert "hotcocci: outer  0:00" in bars
    # The bar makes way for a warning, and at the end.
    assert "hotcocci: careful\r\n" in bars
    assert bars[-1] == "done\r\n"


def test_lines_in_a_log() -> None:
    ran = subprocess.run(COMMAND, capture_output=True, text=True, check=False)
    lines = ran.stderr.splitlines()
    assert "hotcocci: inner: 3 of 12" in lines
    assert "hotcocci: outer: 0 s so far" in lines
    assert "\r" not in ran.stderr and ran.stdout == "done\n"
