# SPDX-License-Identifier: GPL-2.0
"""Finding files: those that include one, and those that define given functions."""

from pathlib import Path

import pytest

from hotcocci.errors import UserError
from hotcocci.tree.includes import built_units, defining, read_as_text, units

PART = {
    "lib/part.c": "",
    "lib/parts.h": '#include "part.c"\n',
    "lib/user.c": '#include "parts.h"\n',
    "lib/outer.c": '#include "user.c"\n',
}
NEAR = dict.fromkeys(
    ["net/a.c", "net/core/a.c", "net/core/b.c", "fs/z.c", "arch/arm/a.c"],
    "#include <net/x.h>\n",
)
NEAR |= {"include/net/x.h": "", "net/core/y.h": "", "net/core/c.c": '#include "y.h"\n'}
EQUAL = {f"fs/{name}.c": '#include "x.h"\n' for name in "abcd"}
EQUAL["fs/e.c"] = '#include "x.h"\nint e(void) { return used(); }\n'
EQUAL["fs/x.h"] = "static inline int used(void)\n{\n\treturn 0;\n}\n"
FUTEX = {
    "arch/x86/include/asm/futex.h": "",
    "kernel/futex/futex.h": "#include <asm/futex.h>\n",
    "kernel/futex/core.c": '#include "futex.h"\n',
    "arch/arm/kernel/a.c": '#include "../../../kernel/futex/futex.h"\n',
}


@pytest.mark.parametrize(
    ("files", "file", "found"),
    [
        # Through a header and another .c file; the nearest, and of equally near ones who calls its functions
        (PART, "lib/part.c", "lib/part.c lib/outer.c lib/user.c"),
        (NEAR, "include/net/x.h", "fs/z.c net/a.c net/core/a.c"),
        (NEAR, "net/core/y.h", "net/core/c.c"),
        (EQUAL, "fs/x.h", "fs/e.c fs/a.c fs/b.c"),
        # Only another header includes it.
        (FUTEX, "arch/x86/include/asm/futex.h", "kernel/futex/core.c"),
    ],
)
def test_users(small_tree, files, file, found):
    assert units(small_tree(files), file, "x86") == tuple(found.split())


@pytest.mark.parametrize(
    ("makefile", "found"),
    [
        ("obj-y += user.o other-part.o part.ob\n", "lib/outer.c lib/user.c"),
        ("obj-y += user.o part.o\n", "lib/part.c lib/outer.c lib/user.c"),
    ],
)
def test_what_is_compiled(small_tree, makefile, found):
    tree = small_tree({**PART, "lib/Makefile": makefile})
    assert built_units(tree, "lib/part.c", "x86") == tuple(found.split())
    # Nothing includes it, and nothing names it: someone will.
    assert built_units(tree, "lib/outer.c", "x86") == ("lib/outer.c",)


def test_an_object_named_by_the_width(small_tree):
    files = {"lib/entry_64.c": "", "lib/user.c": '#include "entry_64.c"\n'}
    tree = small_tree({**files, "lib/Makefile": "obj-y += entry_$(BITS).o\n"})
    found = built_units(tree, "lib/entry_64.c", "x86")
    assert found == ("lib/entry_64.c", "lib/user.c")


def test_in_a_real_tree(linux_tree):
    found = units(linux_tree, "sound/core/pcm_compat.c", "x86")
    assert found == ("sound/core/pcm_compat.c", "sound/core/pcm_native.c")
    found = built_units(linux_tree, "sound/core/pcm_compat.c", "x86")
    assert found == ("sound/core/pcm_native.c",)


MAKEFILES = {
    "lib/Makefile": "$(obj)/ids.c: $(srctree)/include/linux/ids.h $(src)/build_ids\n\t$(call cmd,build)\n",
    "arch/um/kernel/Makefile": "flags = $(src)/../../x86/include/asm/flags.h\n",
    "net/Makefile": "$(obj)/certs.c: # reg.h\n\techo '#include \"reg.h\"' > $@\n",
    "Makefile": "KBUILD += -include $(srctree)/include/linux/first.h\n\tfind . -name '*.h'\n",
    "fs/Makefile": "$(obj)/table.h: FORCE\n$(obj)/names.c: codes.h include/xen/xen*.h arch/$(SRCARCH)/orc.h\n",
}


@pytest.mark.parametrize(
    ("file", "makefile"),
    [
        ("include/linux/ids.h", "lib/Makefile"),
        ("include/net/ids.h", ""),
        ("arch/x86/include/asm/flags.h", "arch/um/kernel/Makefile"),
        ("arch/arm/include/asm/flags.h", ""),
        ("fs/codes.h", "fs/Makefile"),
        ("net/codes.h", ""),
        ("include/xen/xenbus.h", "fs/Makefile"),
        ("arch/x86/orc.h", "fs/Makefile"),
        # What is made, what only the compiler reads, and words of another program
        ("fs/table.h", ""),
        ("include/linux/first.h", ""),
        ("net/reg.h", ""),
    ],
)
def test_headers_that_others_read(small_tree, file, makefile):
    assert read_as_text(small_tree(MAKEFILES), file) == makefile


TEXTS = {
    "plain.c": "int f(int a)\n{\n}\n",
    "pointer.c": "static struct a *f(int a)\n{\n}\n",
    "next_line.c": "static noinline int\nf(int a)\n{\n}\n",
    "call.c": "SYSCALL_DEFINE2(f, int, a, int, b)\n",
    "used.c": "int g(int a)\n{\n\treturn f(a);\n}\n",
    "longer.c": "int ff(int a)\n{\n}\nint f_g(void);\n",
}


@pytest.fixture
def tree(tmp_path) -> Path:
    for name, text in TEXTS.items():
        (tmp_path / name).write_text(text)
    return tmp_path


def test_defining(tree, monkeypatch):
    found = defining(tree, sorted(TEXTS), ["f"])
    assert sorted(found) == ["call.c", "next_line.c", "plain.c", "pointer.c"]
    assert defining(tree, ["used.c", "longer.c"], ["g", "ff"]) == ["used.c", "longer.c"]
    # Several calls of grep, for more bytes than a command line can have.
    names = [f"{'directory/' * 10}{number}.c" for number in range(30_000)]
    assert len(defining(tree, [*sorted(TEXTS), *names], ["f"])) == 4
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(UserError, match="without grep: install it"):
        defining(tree, sorted(TEXTS), ["f"])
