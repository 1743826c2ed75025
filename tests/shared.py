# SPDX-License-Identifier: GPL-2.0
"""What tests of several rooms need: the builds that all of them share, and processes that are to end."""

import functools
import os
import platform
import shutil
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

from hotcocci.cache import Cache
from hotcocci.findings import Finding
from hotcocci.tree.build import prepare
from hotcocci.tree.targets import TARGETS

ROOT = Path(__file__).resolve().parents[1]
FIXTURES = ROOT / "kernel-fixtures"
PROGRAM = (sys.executable, str(ROOT / "run.py"))
NEEDS_SPATCH = pytest.mark.skipif(not shutil.which("spatch"), reason="no spatch")
NEEDS_X86_64 = pytest.mark.skipif(
    platform.machine() != "x86_64", reason="gcc compiles for x86-64"
)
# Kept between test runs.
CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
CACHE /= "hotcocci-tests"


@functools.cache
def build_of(tree, target="x86-64"):
    """The prepared build; concurrent workers share one preparation, which takes about 12 s."""
    return prepare(tree, TARGETS[target], CACHE)


def launch(argv, **how):
    """Run a program, which may fail; what it writes is text."""
    return subprocess.run(argv, capture_output=True, text=True, check=False, **how)


RUN = Finding("UA101", "a.c", 1, 2, "f", "run", 2, "p", "read", "rewrite", "safe", None)


def finding(**changes):
    """A run of two reads in f() of a.c, with some of its fields changed; it has one line more."""
    found = replace(RUN, **changes)
    return replace(found, end_line=found.line + RUN.end_line - RUN.line)


def is_running(process):
    """Whether a process runs; an orphan that nobody has reaped yet is a zombie."""
    try:
        return ") Z " not in Path(f"/proc/{process}/stat").read_text()
    except FileNotFoundError:
        return False


def wait_for(event):
    """Wait until something is so; a test that waits for a minute fails."""
    deadline = time.monotonic() + 60
    while not event():
        assert time.monotonic() < deadline
        time.sleep(0.02)


class CountingCache(Cache):
    """Counts the answers that are asked for, and notes those that are stored."""

    asked = 0
    stored: tuple[object, ...] = ()

    def answers(self, keys):
        self.asked += len(keys)
        return super().answers(keys)

    def remember(self, entries):
        self.stored += (*entries.values(),)
        super().remember(entries)

    def made(self, name):
        """How many of the stored answers have a part of this name."""
        return sum(name in each for each in self.stored if isinstance(each, dict))
