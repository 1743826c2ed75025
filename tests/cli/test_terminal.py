# SPDX-License-Identifier: GPL-2.0
"""What runs is shown as a bar on a terminal, as lines in a log; there is colour on a terminal, and only there."""

import io
import os
import pty
import re
import subprocess
import sys

import pytest

from hotcocci.cli import terminal
from tests.shared import ROOT, launch

# A task within a task, of which only the inner one makes steps, and one with more than were expected.
CODE = """
import sys, time
sys.path.insert(0, sys.argv[1])
from hotcocci.cli import terminal
terminal.REDRAWN = terminal.EVERY = 0.05
with terminal.progress("outer"):
    with terminal.progress("inner") as show:
        show(3, 12)
        time.sleep(0.3)
        terminal.warn("careful")
    time.sleep(0.3)
with terminal.progress("longer") as show:
    show(13, 12)
    time.sleep(0.3)
print("done")
"""
COMMAND = [sys.executable, "-c", CODE, str(ROOT)]


def on_terminal():
    ours, own = pty.openpty()
    with subprocess.Popen(COMMAND, stdout=own, stderr=own) as process:
        os.close(own)
        text = b""
        while True:
            try:
                text += os.read(ours, 65536)
            except OSError:
                break  # It has exited.
        assert process.wait() == 0
    os.close(ours)
    return text.decode()


def test_a_bar_on_a_terminal():
    bars = re.split("\r\x1b\\[K", on_terminal())
    assert "hotcocci: inner  [######..................] 3/12  0:00" in bars
    assert "hotcocci: longer  13  0:00" in bars
    assert "hotcocci: outer  0:00" in bars
    # The bar makes way for a warning, and at the end.
    assert "hotcocci: careful\r\n" in bars
    assert bars[-1] == "done\r\n"


def test_lines_in_a_log():
    ran = launch(COMMAND)
    lines = ran.stderr.splitlines()
    assert "hotcocci: inner: 3 of 12" in lines
    assert "hotcocci: longer: 13, 0 s so far" in lines
    assert "hotcocci: outer: 0 s so far" in lines
    assert "\r" not in ran.stderr and ran.stdout == "done\n"


DIFF = "--- a/x.c\n+++ b/x.c\n@@ -1 +1 @@\n-\x0cold\n+new\n same\n"


class _Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.mark.parametrize(
    ("name", "value", "wanted"),
    [
        ("TERM", "xterm", True),
        ("TERM", "dumb", False),
        ("NO_COLOR", "1", False),
        ("NO_COLOR", "", True),
    ],
)
def test_no_colour_if_not_wanted(monkeypatch, name, value, wanted):
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv(name, value)
    assert terminal.has_colour(_Terminal()) == wanted
    assert not terminal.has_colour(io.StringIO())


def test_only_colour_is_added_to_a_diff():
    coloured = terminal.coloured_diff(DIFF)
    assert "\x1b[31m-\x0cold\x1b[0m\n\x1b[32m+new\x1b[0m\n same\n" in coloured
    assert re.sub(r"\x1b\[\d+m", "", coloured) == DIFF
