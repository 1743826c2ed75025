# SPDX-License-Identifier: GPL-2.0
"""All users of what changes in a header are found, through macros, functions and other headers."""

from pathlib import Path

import pytest

from hotcocci.proof.users import MOST, users

TEXTS = Path(__file__).with_name("users")

FILE = "fs/a/a.h"
HEADER = (TEXTS / "header.h").read_text(encoding="utf-8")
FILES = {
    "fs/a/shift.c": '#include "a.h"\nint x = BYTES(1);\n',
    "fs/a/first.c": '#include "a.h"\nint f(struct inner *i) { return i->first; }\n',
    "fs/a/four.c": '#include "a.h"\nint g(int n) { return four(n); }\n',
    "fs/a/far.c": '#include "b.h"\nint h(int n) { return AROUND(n); }\n',
    "fs/a/b.h": '#include "a.h"\n#define AROUND(n)	four(n)\n',
    "fs/a/fast.c": '#include "a.h"\nint n = MODE_FAST;\n',
    "fs/a/faster.c": '#include "a.h"\nint o = MODE(fast);\n',
    "fs/a/slow.c": '#include "a.h"\nint p = MODE(slow);\n',
    "fs/a/none.c": '#include "a.h"\nint k;\n',
    "fs/c/other.c": "int l(int n) { return four(n) + BYTES(n); }\n",
    "arch/arm/m.c": "#include <fs/a/a.h>\nint m(int n) { return four(n); }\n",
}


@pytest.fixture
def tree(tmp_path) -> Path:
    for file, text in {FILE: HEADER, **FILES}.items():
        (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / file).write_text(text)
    return tmp_path


@pytest.mark.parametrize(
    ("old", "new", "found"),
    [
        ("SHIFT	9", "SHIFT	8", {"shift"}),
        ("BIT	1", "BIT	2", {"fast", "faster"}),
        ("<< SHIFT", "<< (SHIFT)", {"shift"}),
        ("int first", "long first", {"first"}),
        ("void *);", "char *);", {"first"}),
        ("2 * n", "n * 2", {"four", "far"}),
        ("twice(twice(n))", "twice(n)", {"four", "far"}),
        ("int limit", "long limit", set()),
        ("/* the end */", "/* none */", set()),
    ],
)
def test_users_of_what_changes(tree, old, new, found):
    using = users(tree, FILE, HEADER, HEADER.replace(old, new), "x86")
    assert set(using.files) == {f"fs/a/{name}.c" for name in found}
    assert not using.left


@pytest.mark.parametrize(
    ("old", "new", "left"),
    [
        ("SHIFT	9", "SHIFT	8", 3),
        ("<< SHIFT", "<< (SHIFT)", 1),
        ("BIT	1", "BIT	2", 1),
        ("2 * n", "n * 2", 0),
        ("/* the end */", "#include <b>", 3),
    ],
)
def test_users_that_are_not_compiled_are_counted(tree, old, new, left):
    include = "#include <fs/a/a.h>\n"
    (tree / "arch/arm/n.c").write_text(f"{include}int n = BYTES(4);\n")
    (tree / "arch/arm/n.S").write_text(f"{include}.long SHIFT\n")
    (tree / "arch/arm/o.S").write_text(".long SHIFT\n")
    (tree / "arch/arm/n.dts").write_text("/ { n = <MODE_fast_BIT>; };\n")
    (tree / "arch/arm/n.rs").write_text("let n = bindings::SHIFT;\n")
    (tree / "arch/arm/o.rs").write_text("let SHIFT = n;\n")
    using = users(tree, FILE, HEADER, HEADER.replace(old, new), "x86")
    assert using.left == left
    # What a header includes may be meant for any user.
    assert ("fs/a/none.c" in using.files) is new.startswith("#include")


def test_users_beyond_the_limit_are_counted(tree):
    for number in range(MOST + 2):
        (tree / f"fs/a/{number}.c").write_text(FILES["fs/a/shift.c"])
    using = users(tree, FILE, HEADER, HEADER.replace("9", "8"), "x86")
    assert (len(using.files), using.left) == (MOST, 3)
