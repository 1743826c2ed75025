# SPDX-License-Identifier: GPL-2.0
"""Finding files: those that include one, those that define given functions, and the architectures that compile one."""

import shutil
from pathlib import Path

import pytest

from hotcocci.errors import UserError
from hotcocci.tree.includes import (
    built_units,
    compiled_by_others,
    defining,
    has_each,
    read_as_text,
    units,
)
from hotcocci.tree.kconfig import architectures_of, with_code
from hotcocci.tree.targets import KERNELS, Target, compiled_for

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
    assert built_units(tree, "lib/entry_64.c", "x86") == tuple(files)


MAKEFILES = {
    "lib/Makefile": "$(obj)/ids.c: $(srctree)/include/linux/ids.h $(src)/build_ids\n\t$(call cmd,build)\n",
    "arch/um/kernel/Makefile": "flags = $(src)/../../x86/include/asm/flags.h\n",
    "net/Makefile": "$(obj)/certs.c: # reg.h\n\techo '#include \"reg.h\"' > $@\n",
    "Makefile": "KBUILD += -include $(srctree)/include/linux/first.h\n\tfind . -name '*.h'\n",
    "scripts/doc.py": "usage = 'see linux/init.h'\nbpfh = os.path.join(root, 'include/uapi/linux/bpf.h')\n",
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
        ("include/uapi/linux/bpf.h", "scripts/doc.py"),
        ("include/linux/init.h", ""),
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
def tree(tmp_path):
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
    with pytest.raises(UserError, match="grep is not installed: install it"):
        defining(tree, sorted(TEXTS), ["f"])


WANTED = [
    ({"m68k"}, "a/one.c a/inner.c old/driver.c"),
    ({"m68k", "arm"}, "a/either.c"),
    ({"x86"}, "a/part.c a/sub/deep.c a/sub/listed.c a/compat.c"),
    (None, "a/test.c a/not.c a/unknown.c a/plain.c a/missing.c a/part.h"),
]


@pytest.fixture(scope="module")
def kernel(tmp_path_factory):
    here = Path(__file__).with_name("kconfig")
    root = shutil.copytree(here, tmp_path_factory.mktemp("kconfig") / "tree")
    (root / "drivers/a/sub").mkdir()
    return root


@pytest.mark.parametrize(("wanted", "files"), WANTED)
def test_architectures(kernel, wanted, files):
    for file in files.split():
        assert architectures_of(kernel, f"drivers/{file}") == wanted, file


ALL = {target.name for target in KERNELS}
NOT_X86 = "defined(CONFIG_64BIT) && !IS_ENABLED(CONFIG_X86_64)"


@pytest.mark.parametrize(
    ("name", "guards", "wanted"),
    [
        ("plain", (), ALL),
        ("plain", ("CONFIG_X32",), {"x86-64"}),
        ("plain", ("CONFIG_COMPAT",), {"x86-64", "arm64"}),
        ("thin", (), {"x86-64", "arm64"}),
        ("compat", (), {"x86-64"}),
        ("plain", ("!defined(CONFIG_COMPAT)",), ALL),
        ("plain", (NOT_X86,), {"arm64", "powerpc-book3s64"}),
        ("plain", ("CONFIG_64BIT", "CONFIG_X86_32"), set()),
        # What is not understood, or a choice, may hold everywhere.
        ("plain", ("BITS_PER_LONG == 64",), ALL),
        ("plain", ("CONFIG_LAST", "defined(SOME_MACRO(", "_OLD"), ALL),
        ("not", (), ALL),
        ("many", (), {"x86-64", "i386"}),
    ],
)
def test_targets_with_some_code(kernel, name, guards, wanted):
    found = with_code(kernel, f"drivers/a/{name}.c", guards, KERNELS)
    assert {target.name for target in found} == wanted


def test_sparc_has_a_kernel_of_each_width(tmp_path):
    config = tmp_path / "arch/sparc/Kconfig"
    config.parent.mkdir(parents=True)
    config.write_text("config COMPAT\n\tbool\n\tdepends on SPARC64\n")
    for bits in (32, 64):
        target = Target(f"sparc{bits}", "sparc", "sparc", config="", bits=bits)
        found = with_code(tmp_path, "fs/a.c", ("CONFIG_COMPAT",), (target,))
        assert found == [target] * (bits == 64)


POWERPC = ["powerpc-8xx", "powerpc-book3s32", "powerpc-book3s64"]


@pytest.mark.parametrize(
    ("file", "names"),
    [
        ("sound/core/pcm.c", ["x86-64"]),
        ("arch/powerpc/kernel/process.c", POWERPC),
        ("arch/powerpc/kernel/signal_32.c", POWERPC),  # for compat, too
        ("arch/powerpc/kvm/book3s_64_mmu_hv.c", ["powerpc-book3s64"]),
        ("arch/x86/kernel/signal_64.c", ["x86-64"]),
        ("arch/x86/kernel/cpu/atomic64_32.c", ["x86-64", "i386"]),
        ("arch/s390/kernel/signal.c", []),
    ],
)
def test_by_name(file, names):
    assert [target.name for target in compiled_for(file)] == names


PROGRAMS = {
    "tools/config/Makefile": "SOURCES = $(srctree)/lib/config.c main.c\n",
    "tools/testing/area/area.c": '#include "../../../mm/area.c"\n',
    "arch/s390/boot/text.c": '#include "../../../lib/text.c"\n',
    "lib/Makefile": "obj-y += other.o\n",
    "tools/other/other.c": '#include "other.c"\n',
}


@pytest.mark.parametrize(
    ("file", "user"),
    [
        ("lib/config.c", "tools/config/Makefile"),
        ("mm/area.c", "tools/testing/area/area.c"),
        ("lib/text.c", "arch/s390/boot/text.c"),
        ("fs/text.c", ""),
        ("lib/other.c", ""),
    ],
)
def test_files_that_other_programs_compile(small_tree, file, user):
    assert compiled_by_others(small_tree(PROGRAMS), file) == user


OF_ARCHITECTURES = {
    "include/asm-generic/Kbuild": "mandatory-y += page.h\n",
    "include/uapi/asm-generic/Kbuild": "mandatory-y += errno.h\n",
    "arch/s390/include/asm/own.h": "",
    "arch/s390/include/asm/Kbuild": "generic-y += both.h\n",
    "arch/x86/include/uapi/asm/both.h": "",
    "arch/x86/include/asm/own.h": "",
    "arch/x86/include/asm/alone.h": "",
    "arch/Kconfig": "",
}


@pytest.mark.parametrize(
    ("header", "arches", "has"),
    [
        ("asm/page.h", None, True),
        ("asm/errno.h", None, True),
        ("asm/own.h", None, True),
        ("asm/both.h", None, True),
        ("asm/alone.h", None, False),
        ("asm/alone.h", {"x86"}, True),
    ],
)
def test_headers_of_each_architecture(small_tree, header, arches, has):
    assert has_each(small_tree(OF_ARCHITECTURES), header, arches) is has
