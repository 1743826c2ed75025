# SPDX-License-Identifier: GPL-2.0
"""All users of what changes in a header are found, through macros, functions and other headers."""

import shutil
from pathlib import Path

import pytest

from hotcocci.proof.users import MOST, functions_of, meant_otherwise, users
from hotcocci.tree.includes import NEAREST

TREE = Path(__file__).with_name("users")
FILE = "fs/a/a.h"
HEADER = (TREE / FILE).read_text(encoding="utf-8")


@pytest.fixture
def tree(tmp_path) -> Path:
    return shutil.copytree(TREE, tmp_path / "tree")


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
    assert using.headers == (("fs/a/b.h",) if "far" in found else ())
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
        shutil.copy(tree / "fs/a/shift.c", tree / f"fs/a/{number}.c")
    using = users(tree, FILE, HEADER, HEADER.replace("9", "8"), "x86")
    assert (len(using.files), using.left) == (NEAREST, MOST)


@pytest.mark.parametrize(
    ("old", "new", "functions"),
    [
        ("return 2 * n", "return n * 2", ("twice",)),
        ("2 * n;", "__builtin_constant_p(n) ? 2 * n : n + n;", ()),
        ("twice(int n)", "twice(long n)", ()),
        ("SHIFT	9", "SHIFT	8", ()),
        ("extern int limit", "extern long limit", ()),
        ("{\n\treturn 2", "{\n#ifdef A\n\tn++;\n#endif\n\treturn 2", ()),
    ],
)
def test_functions_of_which_the_body_changes(old, new, functions):
    assert functions_of(FILE, HEADER, HEADER.replace(old, new)) == functions


@pytest.mark.parametrize(
    ("user", "text", "otherwise"),
    [
        ("fs/a/four.c", '#define TYPE long\n#include "a.h"\nint g = four(1);\n', True),
        ("fs/a/four.c", '#define DEBUG\n#include "a.h"\nint g = four(1);\n', True),
        ("fs/a/four.c", '#undef n\n#include "a.h"\nint g = four(1);\n', True),
        ("fs/a/four.c", '#include "d.h"\n#include "a.h"\nint g = twice(1);\n', True),
        ("fs/a/four.c", '#define OTHER\n#include "a.h"\nint g = four(1);\n', False),
        # It uses none of them, or is of another architecture.
        ("fs/a/none.c", '#define DEBUG\n#include "a.h"\n', False),
        ("arch/arm/m.c", '#define DEBUG\n#include "a.h"\nint g = four(1);\n', False),
    ],
)
def test_functions_that_users_may_give_another_text(tree, user, text, otherwise):
    (tree / "fs/a/c.h").write_text(
        "#ifdef DEBUG\n#define TYPE long\n#else\n#define TYPE int\n#endif\n"
    )
    (tree / "fs/a/d.h").write_text("#define TYPE long\n")
    (tree / user).write_text(text)
    (tree / FILE).write_text(f'#include "c.h"\n{HEADER}')
    said = '# 1 "fs/a/a.h" 1\n# 1 "fs/a/c.h" 1\n#define TYPE int\n'
    found = meant_otherwise(tree, FILE, "x86", ("twice",), {"TYPE", "n"}, [], said)
    assert found == (("fs/a/d.h" if "d.h" in text else user) if otherwise else "")


def test_a_search_has_a_limit(tree, monkeypatch):
    monkeypatch.setattr("hotcocci.proof.users.SECONDS", -1.0)
    using = users(tree, FILE, HEADER, HEADER.replace("9", "8"), "x86")
    assert (using.files, using.left) == ((), MOST)


def test_functions_that_need_what_not_all_users_include(tree):
    said = '# 1 "fs/a/d.h" 1\n#define TYPE int\n# 1 "fs/a/a.h" 1\n'
    given = tree, FILE, "x86", ("twice",), {"TYPE"}
    assert meant_otherwise(*given, [], said) == "fs/a/d.h"
    assert meant_otherwise(*given, ["./a/d.h"], said) == ""
