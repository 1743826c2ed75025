# SPDX-License-Identifier: GPL-2.0
"""What many tests need: a real kernel tree, small ones, and a stand-in for spatch."""

from __future__ import annotations

import fcntl
import os
import signal
import subprocess
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path

import pytest

from hotcocci.tree.kernel import is_root

PACKAGE = "linux-source-6.12"
ARCHIVE = Path("/usr/src") / f"{PACKAGE}.tar.xz"

# Fixtures that are too slow for 'run.py test --fast', and the marker of each test that uses one,
# directly or through another fixture.
COSTLY = {
    "linux_tree": "tree",
    "builds": "build",
    "browser": "browser",
}


def pytest_itemcollected(item: pytest.Item) -> None:
    """Mark a test with what its fixtures need."""
    for fixture in getattr(item, "fixturenames", ()):
        if fixture in COSTLY:
            item.add_marker(COSTLY[fixture])


@pytest.fixture(scope="session", autouse=True)
def interruptible() -> None:
    """Whatever is started here can be interrupted, also where a shell started us in the background.

    Such a shell ignores SIGINT, and all that descends from it would.
    """
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session")
def builds() -> None:
    """Does nothing; tests and fixtures that build a tree or compile much ask for it."""


@pytest.fixture(scope="session")
def linux_tree() -> Path:
    """Debian's kernel source, unpacked. Never write to it: other tests and runs share it.

    HOTCOCCI_TREE names a tree to use in its place.
    """
    named = os.environ.get("HOTCOCCI_TREE")
    if named:
        assert is_root(Path(named)), f"HOTCOCCI_TREE={named} is not a kernel tree"
        return Path(named).resolve()
    folder = (
        Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
        / "hotcocci-tests"
    )
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "lock").open("w") as lock:
        # Several workers of pytest-xdist ask at once: one unpacks, the others wait.
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not ARCHIVE.exists():
            _install()
        stat = ARCHIVE.stat()
        home = folder / f"{PACKAGE}-{stat.st_size}-{int(stat.st_mtime)}"
        if not home.exists():
            unpacked = folder / f"unpacking-{os.getpid()}"
            unpacked.mkdir()
            subprocess.run(["tar", "-xf", ARCHIVE, "-C", unpacked], check=True)
            # Only a complete tree ever gets the name that is looked for.
            unpacked.rename(home)
    return home / PACKAGE


def _install() -> None:
    if os.geteuid() != 0:
        pytest.fail(
            f"the tests need a kernel tree: run 'sudo apt-get install {PACKAGE}', "
            "or name one in HOTCOCCI_TREE"
        )
    install = ["apt-get", "install", "-y", "-q", "--no-install-recommends", PACKAGE]
    if subprocess.run(install, check=False, stdout=sys.stderr).returncode:
        subprocess.run(["apt-get", "update", "-q"], check=True, stdout=sys.stderr)
        subprocess.run(install, check=True, stdout=sys.stderr)


@pytest.fixture
def small_tree(tmp_path: Path) -> Callable[[dict[str, str]], Path]:
    """Makes what is recognised as a kernel tree, with these files in it."""

    def make(files: dict[str, str], name: str = "linux") -> Path:
        root = tmp_path / name
        landmarks = {"Kconfig": "", "Makefile": "", "include/linux/uaccess.h": ""}
        for file, text in {**landmarks, **files}.items():
            path = root / file
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        return root

    return make


FAKE_SPATCH = '''\
#!{python}
"""Stands in for spatch: what it does is written in the source files."""
import json, os, re, signal, sys, time
from pathlib import Path

if "--version" in sys.argv:
    print("spatch version 0")
    sys.exit(0)
option = dict(zip(sys.argv, sys.argv[1:]))
facts = next(w for w in sys.argv if w.startswith("facts=")).partition("=")[2]
here = Path(__file__).parent
with open(here / "starts", "a") as out:
    out.write(str(os.getpid()) + "\\n")
for file in Path(option["--file-groups"]).read_text().split("\\n\\n"):
    text = Path(file.strip()).read_text()
    with open(here / "handled", "a") as out:
        out.write(Path(file.strip()).name + "\\n")
    if "CRASH" in text:
        print("Fatal error: exception Stack_overflow", file=sys.stderr)
        sys.exit(2)
    if "HANG" in text:
        time.sleep(1000)
    if "SLOW" in text:
        print("EXN: Coccinelle_modules.Common.Timeout in " + file, file=sys.stderr)
        continue
    if "KILLED" in text:
        os.kill(os.getpid(), signal.SIGSEGV)
    if "CUT" in text:
        with open(facts, "a") as out:
            out.write('{{"file": "')
        continue
    record = {{"file": file.strip(), "facts": {{"size": len(text)}}}}
    with open(facts, "a") as out:
        out.write(json.dumps(record) + "\\n")
'''


@pytest.fixture
def fake_spatch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of a stand-in for spatch that is found first; it notes what it did there."""
    folder = tmp_path / "bin"
    folder.mkdir()
    program = folder / "spatch"
    program.write_text(textwrap.dedent(FAKE_SPATCH).format(python=sys.executable))
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}:{os.environ['PATH']}")
    return folder
