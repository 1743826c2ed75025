# SPDX-License-Identifier: GPL-2.0
"""Map source lines to functions by debug information."""

import shutil
import subprocess

import pytest

from hotcocci.machine.dwarf import Lines
from hotcocci.machine.elf import ObjectFile
from hotcocci.proof.costs import FLAGS

TEXT = """\
int take(int *p);
int later(int *p);
#define BOTH(name) int name##_one(int *p) { return take(p); } int name##_two(int *p)

int first(int *p)
{
	return take(p) ? -14 : 1;
}

int later(int *p)
{
	return take(p) ? -14 : 2;
}
BOTH(last)
{
	return take(p) ? -14 : 3;
}
"""


@pytest.mark.skipif(not shutil.which("gcc"), reason="no gcc")
def test_owners(tmp_path):
    source = tmp_path / "a.c"
    source.write_text(TEXT)
    command = ["gcc", "-c", "-O2", *FLAGS, "a.c", "-o", "a.o"]
    subprocess.run(command, cwd=tmp_path, check=True)
    lines = Lines(ObjectFile(tmp_path / "a.o"))
    own = frozenset({"a.c"})
    # later() does not begin at its prototype.
    assert lines.owners(own, 3) == frozenset()
    assert lines.owners(own, 5) == lines.owners(own, 8) == {"first"}
    assert lines.owners(own, 10) == lines.owners(own, 12) == {"later"}
    assert lines.owners(own, 14) == lines.owners(own, 16) == {"last_one", "last_two"}
    assert lines.owners(frozenset({"b.c"}), 12) == frozenset()
