# SPDX-License-Identifier: GPL-2.0
"""What a file may include, also in folders that a Makefile names, and which missing names count."""

import pytest

from hotcocci.c.headers import reachable
from hotcocci.c.reach import Reach


def reached_by(root, file):
    """What one file includes and lacks, found in both ways."""
    found, missing = Reach(root).of(file)
    several = Reach(root)
    assert dict(several.of_many([file, "mm/other.c"]))[file] == found
    assert {*missing} <= {*several.names()[1]}
    return {*found, *missing}


def test_a_folder_that_lacks_many_names_is_listed(small_tree):
    text = "".join(f'#include "x{number}.h"\n' for number in range(40))
    reached = reached_by(small_tree({"fs/a.c": text}), "fs/a.c")
    assert "fs/" in reached
    assert "fs/x1.h" not in reached


def test_headers_of_every_architecture(small_tree):
    arches = ("arch/x86/include/asm/x.h", "arch/mips/include/asm/x.h")
    files = {"fs/a.c": "#include <asm/x.h>\n", **dict.fromkeys(arches, "")}
    files["include/asm-generic/x.h"] = ""
    files["arch/x86/kernel/b.c"] = files["fs/a.c"]
    root = small_tree(files)
    # arm64 has none of its own.
    assert {*arches, "include/asm-generic/x.h"} <= reached_by(root, "fs/a.c")
    assert arches[0] in reached_by(root, "arch/x86/kernel/b.c")
    assert arches[1] not in reached_by(root, "arch/x86/kernel/b.c")


def test_makefiles_and_the_folders_they_name(small_tree):
    files = {
        "fs/a/b.c": '#include "x.h"\n',
        "fs/a/Makefile": "ccflags-y += -I$(src)/lib\n",
        "fs/a/lib/x.h": "",
    }
    reached = reached_by(small_tree(files), "fs/a/b.c")
    assert {"fs/a/Makefile", "fs/a/Kbuild", "fs/Makefile", "fs/a/lib/x.h"} <= reached


@pytest.mark.parametrize(
    "place, flags",
    [
        ("fs/a", "ccflags-y += -I $(src)/lib"),
        ("fs/a", "ccflags-y += -I $(srctree)/$(src)/lib"),
        ("fs/a", "ccflags-y := -I$(srctree)/fs/a/lib"),
        ("fs/a", "ccflags-y += -Wall \\\n\t-I$(src)/b/../lib"),
        ("fs", "subdir-ccflags-y += -I$(src)/a/lib"),
    ],
)
def test_found_by_flag(place, flags, tmp_path):
    (tmp_path / "fs/a/lib").mkdir(parents=True)
    (tmp_path / "fs/a/lib/own.h").write_text("struct own { int a; };\n")
    (tmp_path / "fs/a/use.c").write_text('#include "own.h"\n')
    (tmp_path / place / "Makefile").write_text(flags + "\n")
    assert "own.h" in {h.path.name for h in reachable(tmp_path, "fs/a/use.c")}
