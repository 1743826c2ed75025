# SPDX-License-Identifier: GPL-2.0
"""Finding the tree that contains a path, and probing its features."""

from pathlib import Path

import pytest

from hotcocci.errors import UserError
from hotcocci.tree.kernel import WINDOW_FORMS, find_tree, find_trees, probe

HEADER = "include/linux/uaccess.h"


def test_the_innermost_tree_is_found_from_a_relative_path(small_tree, monkeypatch):
    small_tree({})
    root = small_tree({"drivers/x.c": ""}, "linux/inner")
    monkeypatch.chdir(root / "drivers")
    assert find_tree(Path(".")).root == root
    assert find_tree(Path("x.c")).root == root


@pytest.mark.parametrize("missing", ["Kconfig", "Makefile", HEADER])
def test_outside_a_tree_is_one_line_with_the_path(small_tree, missing):
    root = small_tree({})
    (root / missing).unlink()
    with pytest.raises(UserError) as error:
        find_tree(root)
    assert str(root) in str(error.value) and "\n" not in str(error.value)
    with pytest.raises(UserError, match="does not exist"):
        find_tree(root / "nothing")


def test_trees_directly_below_a_folder(small_tree, tmp_path):
    roots = [small_tree({}, "a"), small_tree({}, "b")]
    assert [tree.root for tree in find_trees(tmp_path)] == roots
    assert [tree.root for tree in find_trees(roots[0])] == [roots[0]]
    with pytest.raises(UserError):
        find_trees(Path("/dev"))


def test_scoped_and_masked(small_tree):
    text = "#define scoped_user_read_access(p, l) x\n"
    assert probe(small_tree({HEADER: text})).scoped
    text = " # define masked_user_access_begin(p) NULL\n"
    features = probe(small_tree({HEADER: text}))
    assert features.masked and not features.masked_directed
    text += "# define masked_user_read_access_begin(p) NULL\n"
    assert probe(small_tree({HEADER: text})).masked_directed


def test_architectures_with_their_own_window(small_tree):
    own = "#define user_access_begin(p, l) open(p, l)\n"
    root = small_tree(
        {
            "arch/x86/include/asm/uaccess.h": own,
            "arch/mips/include/asm/uaccess.h": "#include <asm/x.h>\n",
        }
    )
    assert probe(root).gain_arches == {"x86"}


# As in 4.6, 4.8, 4.19, its stable backport, 5.4 and 5.7, each with the names of a window that can be used
HEADERS = sorted(Path(__file__).with_name("kernel").glob("*.h"))


@pytest.mark.parametrize("header", HEADERS, ids=lambda path: path.stem)
def test_names_of_windows_with_their_arguments(header, small_tree):
    text = header.read_text(encoding="ascii")
    names = text.splitlines()[0].strip("/* ").split()
    assert probe(small_tree({HEADER: text})).window_names == {*names}


OWN_BEGINS = {
    "#define user_access_begin() __uaccess_begin()": False,
    "static __must_check bool user_access_begin(int type, const void __user *ptr, size_t len)\n"
    "{\n}\n#define user_access_begin user_access_begin": False,
    "static bool\nuser_access_begin(const void __user *ptr,\n\t\t  size_t len)\n{\n}\n"
    "#define user_access_begin user_access_begin": True,
    "#define user_access_begin(a,b)\tuser_access_begin(a,b)": True,
}


@pytest.mark.parametrize("own, usable", OWN_BEGINS.items())
def test_an_architecture_may_take_other_arguments(own, usable, small_tree):
    generic = "#define user_access_begin(ptr, len) access_ok(ptr, len)\n"
    files = {HEADER: generic, "arch/x86/include/asm/uaccess.h": own + "\n"}
    assert ("user_access_begin" in probe(small_tree(files)).window_names) == usable
    # One architecture's begin is not enough.
    assert not probe(small_tree({**files, HEADER: ""})).window_names


ARM = """
#define __get_user_err(x, ptr, err, __t)				\\
do {{									\\
	switch (sizeof(*(ptr))) {{					\\
	case 4: word(); break;						\\
	{}
	default: __get_user_bad();					\\
	}}								\\
}} while (0)

#define put(x) case 8: do_it();
"""


def test_get_user_of_eight_bytes(small_tree):
    """In 7.2 arm32 fetches them, and sparc32 keeps four."""
    arm, sparc = "arch/arm/include/asm/uaccess.h", "arch/sparc/include/asm/uaccess_32.h"
    without, two = ARM.format("\\"), ARM.format("case 8: two(); break; \\")
    found = probe(small_tree({arm: without}))
    assert not found.arm_get_u64 and not found.get_u64
    found = probe(small_tree({arm: two}))
    assert found.arm_get_u64 and found.get_u64
    one_register = "register unsigned long __gu_val;\n"
    assert not probe(small_tree({arm: two, sparc: one_register})).get_u64


def test_a_real_tree(linux_tree):
    tree = find_tree(linux_tree / "fs" / "ioctl.c")
    assert tree.root == linux_tree
    assert {"x86", "powerpc", "arm64"} <= tree.features.gain_arches
    assert "mips" not in tree.features.gain_arches
    assert tree.features.window_names == set(WINDOW_FORMS)
