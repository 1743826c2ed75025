# SPDX-License-Identifier: GPL-2.0
"""The state of a compilation changes with what it reads, and with nothing else."""

import shutil
from pathlib import Path

import pytest

from hotcocci.cache import Cache
from hotcocci.pipeline.inputs import Inputs
from hotcocci.tree import select
from hotcocci.tree.build import Build
from hotcocci.tree.command import Command
from hotcocci.tree.targets import TARGETS

FILE = "fs/a.c"
TEXT = '#include <linux/x.h>\n#include "private.h"\n#include NAME\n#ifdef OTHER\n#include <linux/y.h>\n#endif\n'
HEADERS = {
    "include/linux/x.h": "",
    "include/linux/y.h": "",
    "include/linux/z.h": "",
    "lib/own dir/private.h": '#include "deep.h"\n',
    "lib/own dir/deep.h": "",
    "lib/named.h": "",
}

pytestmark = pytest.mark.skipif(not shutil.which("gcc"), reason="no gcc")


@pytest.fixture
def root(small_tree) -> Path:
    return small_tree({FILE: TEXT, **HEADERS})


def state(root: Path, new: str = TEXT) -> str:
    select._headers_states.clear()
    out = root.parent / "out"
    out.mkdir(exist_ok=True)
    build = Build(root, out, TARGETS["x86-64"], (), ())
    folders = (f"-I{root}/include", f"-I{root}/lib/own dir")
    argv = ("gcc", *folders, f'-DNAME="{root}/lib/named.h"')
    with Cache(root.parent / "cache") as cache:
        inputs = Inputs(root, cache, 1)
        return inputs.of_change(build, [Command(FILE, argv)], TEXT, new)


@pytest.mark.parametrize("changed", [FILE, *HEADERS])
def test_what_a_compilation_reads(root, changed):
    before = state(root)
    assert state(root) == before
    path = root / changed
    path.write_text(path.read_text() + "\n")
    # The text of the file is the caller's business.
    assert (state(root) == before) == (changed in (FILE, "include/linux/z.h"))


def test_headers_that_come(root):
    # One that is found first
    before = state(root)
    (root / "fs/private.h").write_text("")
    assert state(root) != before
    # Of a text that includes more
    new = TEXT + "#include <linux/z.h>\n"
    before = state(root, new)
    (root / "include/linux/z.h").write_text("int z;\n")
    assert state(root, new) != before
    # Without one, any counts.
    (root / "lib/named.h").unlink()
    before = state(root)
    (root / "include/linux/z.h").write_text("long z;\n")
    assert state(root) != before
