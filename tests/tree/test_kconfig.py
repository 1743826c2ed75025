# SPDX-License-Identifier: GPL-2.0
"""The architectures that a file can be built for."""

from pathlib import Path

import pytest

from hotcocci.tree.kconfig import architectures_of, with_code
from hotcocci.tree.targets import KERNELS, Target

TREE = {
    "arch/m68k/Kconfig": "config M68K\n\tdef_bool y\n",
    "arch/m68k/Kconfig.machine": "config ATARI\n\tbool\n",
    "arch/arm/mach/Kconfig": "config BOARD\n\tbool\n",
    "arch/x86/Kconfig": "config X86\n\tdef_bool y\nconfig X32\n\tbool\n\tdepends on X86_64\n"
    "config COMPAT\n\tbool\n\tdepends on X32 || IA32\nconfig IA32\n\tbool\n\tdepends on X86_64\n",
    "arch/arm64/Kconfig": "config COMPAT\n\tbool\n",
    "init/Kconfig": "config COMPILE_TEST\n\tbool\n",
    "drivers/Makefile": "obj-y += a/\nobj-$(CONFIG_OLD) += old/\n",
    "drivers/Kconfig": "config OLD\n\tbool\n\tdepends on ATARI\n",
    "drivers/a/Makefile": "\n".join(
        (
            "obj-$(CONFIG_ONE) += one.o",
            "obj-$(CONFIG_TEST) += test.o",
            "obj-$(CONFIG_EITHER) += either.o",
            "obj-$(CONFIG_MANY) += many.o",
            "list-y := sub/listed.o",
            "many-y := $(list-y) part.o \\\n\tsub/deep.o",
            "many-$(CONFIG_COMPAT) += compat.o",
            "obj-$(CONFIG_NOT) += not.o",
            "obj-$(CONFIG_INNER) += inner.o",
            "obj-$(CONFIG_UNKNOWN) += unknown.o",
            "obj-y += plain.o",
            "obj-$(CONFIG_COMPAT) += thin.o",
        )
    ),
    "drivers/a/Kconfig": "\n".join(
        (
            "config ONE\n\ttristate\n\tdepends on (FB = y) && ATARI",
            "config TEST\n\ttristate\n\tdepends on ATARI || COMPILE_TEST",
            "config EITHER\n\tbool\n\tdepends on ATARI || BOARD",
            "config MANY\n\tbool\n\tdepends on X86\n\thelp\n\t  depends on ATARI",
            "config NOT\n\tbool\n\tdepends on !X86",
            "if ONE",
            "config INNER\n\tbool",
            "endif",
            "config LAST\n\tbool",
        )
    ),
    "drivers/old/Makefile": "obj-y += driver.o\n",
    "drivers/a/part.h": "",
}
WANTED = [
    ({"m68k"}, "a/one.c a/inner.c old/driver.c"),
    ({"m68k", "arm"}, "a/either.c"),
    ({"x86"}, "a/part.c a/sub/deep.c a/sub/listed.c a/compat.c"),
    (None, "a/test.c a/not.c a/unknown.c a/plain.c a/missing.c a/part.h"),
]


@pytest.fixture(scope="module")
def tree(tmp_path_factory) -> Path:
    root = tmp_path_factory.mktemp("kconfig")
    for file, text in TREE.items():
        path = root / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text + "\n", encoding="utf-8")
    (root / "drivers/a/sub").mkdir()
    return root


@pytest.mark.parametrize(("wanted", "files"), WANTED)
def test_architectures(tree, wanted, files):
    for file in files.split():
        assert architectures_of(tree, f"drivers/{file}") == wanted, file


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
def test_targets_with_some_code(tree, name, guards, wanted):
    found = with_code(tree, f"drivers/a/{name}.c", guards, KERNELS)
    assert {target.name for target in found} == wanted


def test_sparc_has_a_kernel_of_each_width(tmp_path):
    config = tmp_path / "arch/sparc/Kconfig"
    config.parent.mkdir(parents=True)
    config.write_text("config COMPAT\n\tbool\n\tdepends on SPARC64\n")
    for bits in (32, 64):
        target = Target(f"sparc{bits}", "sparc", "sparc", config="", bits=bits)
        found = with_code(tmp_path, "fs/a.c", ("CONFIG_COMPAT",), (target,))
        assert found == [target] * (bits == 64)
