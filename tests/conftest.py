# SPDX-License-Identifier: GPL-2.0
"""Shared fixtures: a real kernel tree, small ones, and a stand-in for spatch."""

import fcntl
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import textwrap
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from hotcocci.tree.kernel import is_root

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = "linux-source-6.12"
ARCHIVE = Path("/usr/src") / f"{PACKAGE}.tar.xz"

# Fixtures that are too slow for 'run.py test --fast', and the marker for each test that uses one,
# directly or through another fixture.
COSTLY = {"linux_tree": "tree", "builds": "build", "browser": "browser"}


# Temporary files go there if it has this many free bytes, ten times what the tests need.
MEMORY = Path("/dev/shm")
ROOM = 4 << 30


def _quick_files():
    """Put temporary files into memory, and let Python keep compiled modules.

    An overlay of a tree is hundreds of links. Creating a file on ext4 without a journal looks at every
    inode deleted in the last minute, which was half of the time of some tests. The tests start some
    hundred interpreters; compiling our modules takes each three times as long as loading them.
    """
    sys.dont_write_bytecode = False
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    if "TMPDIR" in os.environ or not MEMORY.is_dir():
        return
    room = os.statvfs(MEMORY)
    if room.f_bavail * room.f_frsize >= ROOM and not room.f_flag & os.ST_NOEXEC:
        os.environ["TMPDIR"] = str(MEMORY)
        # It may have been determined already.
        tempfile.tempdir = None


_quick_files()

# Time says nothing on a machine that others use, too.
settings.register_profile(
    "shared", deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("shared")


MODULE_MARKS = re.compile(r"^pytestmark = (\[[^]]*\]|.*)$", re.MULTILINE)
MARK = re.compile(r"pytest\.mark\.(\w+)")


def pytest_ignore_collect(collection_path, config):
    """Do not import a file whose own mark leaves all of its tests out, as 'run.py test --fast' does."""
    left_out = re.fullmatch(r"not \((.*)\)", config.option.markexpr)
    if left_out is None or collection_path.suffix != ".py":
        return None
    marks = MODULE_MARKS.search(collection_path.read_text(encoding="utf-8"))
    found = set(MARK.findall(marks[1])) if marks else set()
    return True if found & set(left_out[1].split(" or ")) else None


def pytest_itemcollected(item):
    """Mark each test according to the fixtures it uses, and the kernel it compiles."""
    fixtures = getattr(item, "fixturenames", ())
    for fixture in COSTLY.keys() & set(fixtures):
        item.add_marker(COSTLY[fixture])
    parameters = item.callspec.params if hasattr(item, "callspec") else {}
    # What is wrong on one of the others only is rare, and each has to be configured first.
    if "linux_tree" in fixtures and parameters.get("target", "x86-64") != "x86-64":
        item.add_marker("slow")


@pytest.fixture(scope="session", autouse=True)
def interruptible():
    """Restore SIGINT, which processes of a background shell ignore.

    Child processes inherit that, so tests could not interrupt them.
    """
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session")
def installed(tmp_path_factory):
    """The folder that 'pip install .' would copy to site-packages."""
    folder = tmp_path_factory.mktemp("installed")
    source = folder / "source"
    source.mkdir()
    for name in ("setup.py", "setup.cfg", "pyproject.toml"):
        shutil.copy(ROOT / name, source)
    unwanted = shutil.ignore_patterns("__pycache__", "build")
    for name in ("hotcocci", "cocci", "checkers", "docs/rules"):
        shutil.copytree(ROOT / name, source / name, ignore=unwanted)
    # pip's build backend, without downloading it.
    argv = [sys.executable, "setup.py", "-q", "build", "--build-lib", folder / "site"]
    subprocess.run(argv, cwd=source, check=True, capture_output=True)
    shutil.rmtree(source)
    return folder / "site"


@pytest.fixture(scope="session")
def builds():
    """Marks tests and fixtures that build a tree or compile much; does nothing else."""


@pytest.fixture(scope="session")
def linux_tree():
    """Debian's kernel source, unpacked. Never write to it: other tests and runs share it.

    HOTCOCCI_TREE overrides the tree.
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
        # pytest-xdist workers run this concurrently: one unpacks, the others wait.
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not ARCHIVE.exists():
            _install()
        stat = ARCHIVE.stat()
        home = folder / f"{PACKAGE}-{stat.st_size}-{int(stat.st_mtime)}"
        if not home.exists():
            unpacked = folder / f"unpacking-{os.getpid()}"
            unpacked.mkdir()
            subprocess.run(["tar", "-xf", ARCHIVE, "-C", unpacked], check=True)
            # Rename last, so that the final name is always a complete tree.
            unpacked.rename(home)
    return home / PACKAGE


def _install():
    if os.geteuid() != 0:
        pytest.fail(
            f"the tests need a kernel tree: run 'sudo apt-get install {PACKAGE}', "
            "or name one in HOTCOCCI_TREE"
        )
    install = ["apt-get", "install", "-y", "-q", "--no-install-recommends", PACKAGE]
    if subprocess.run(install, check=False, stdout=sys.stderr).returncode:
        subprocess.run(["apt-get", "update", "-q"], check=True, stdout=sys.stderr)
        subprocess.run(install, check=True, stdout=sys.stderr)


# The API that windows are written with, by other names: the header itself is no candidate.
WINDOWS = """
#define begin_window(ptr, len) 1
#define get_inside(x, p, e) 0
#define copy_inside(d, s, l, e) 0
#define user_access_begin begin_window
#define user_write_access_begin begin_window
#define user_read_access_begin begin_window
#define unsafe_get_user get_inside
#define unsafe_put_user get_inside
#define unsafe_copy_to_user copy_inside
"""


@pytest.fixture
def small_tree(tmp_path):
    """Creates a minimal kernel tree with these files."""

    def make(files, name="linux"):
        root = tmp_path / name
        landmarks = {"Kconfig": "", "Makefile": "", "include/linux/uaccess.h": WINDOWS}
        for file, text in {**landmarks, **files}.items():
            path = root / file
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        return root

    return make


@pytest.fixture
def restricted():
    """The start of a command line that obeys permissions, even for root."""
    drop = ["setpriv", "--bounding-set=-all", "--inh-caps=-all"]
    return [*(drop if os.geteuid() == 0 else []), sys.executable, str(ROOT / "run.py")]


@pytest.fixture
def program(tmp_path, monkeypatch):
    """Writes a shell script as a program of this name, whose folder comes first in PATH."""
    folder = tmp_path / "bin"

    def make(name, script):
        if str(folder) not in os.environ["PATH"].split(":"):
            monkeypatch.setenv("PATH", str(folder), prepend=":")
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"#!/bin/sh\n{script}\n")
        path.chmod(0o755)
        return path

    return make


# Logs its arguments, and runs the script that a test put into "behaviour".
FAKE_MAKE = ROOT / "tests/tree/programs/make"


@pytest.fixture
def fake_make(program, monkeypatch):
    """The folder of a stand-in for make that comes first in PATH."""
    path = Path(shutil.which("sh") or "/bin/sh").parent
    monkeypatch.setenv("PATH", f"/usr/local/bin:/usr/bin:{path}")
    folder = program("make", FAKE_MAKE.read_text()).parent
    (folder / "behaviour").write_text("")
    return folder


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
    if "CUT" not in text:
        print("HANDLING: " + file.strip(), file=sys.stderr, flush=True)
    if "CRASH" in text:
        print("Fatal error: exception Stack_overflow", file=sys.stderr)
        sys.exit(2)
    if "HANG" in text:
        time.sleep(1000)
    while "SPIN" in text:
        pass
    while "FLOOD" in text:
        os.write(2, b"x" * 2**20)
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
def fake_spatch(program):
    """The folder of a spatch stand-in that comes first in PATH; it logs its runs there."""
    path = program("spatch", "")
    path.write_text(textwrap.dedent(FAKE_SPATCH).format(python=sys.executable))
    return path.parent
