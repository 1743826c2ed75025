# SPDX-License-Identifier: GPL-2.0
"""The architectures that a file can be built for."""

from __future__ import annotations

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
WANTED = {
    "drivers/a/one.c": {"m68k"},
    "drivers/a/test.c": None,
    "drivers/a/either.c": {"m68k", "arm"},
    "drivers/a/part.c": {"x86"},
    "drivers/a/sub/deep.c": {"x86"},
    "drivers/a/sub/listed.c": {"x86"},
    "drivers/a/compat.c": {"x86"},
    "drivers/a/not.c": None,
    "drivers/a/inner.c": {"m68k"},
    "drivers/a/unknown.c": None,
    "drivers/a/plain.c": None,
    "drivers/a/missing.c": None,
    "drivers/a/part.h": None,
    "drivers/old/driver.c": {"m68k"},
}


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("kconfig")
    for file, text in TREE.items():
        path = root / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text + "\n", encoding="utf-8")
    (root / "drivers/a/sub").mkdir()
    return root


@pytest.mark.parametrize("file", WANTED)
def test_architectures(tree: Path, file: str) -> None:
    assert architectures_of(tree, file) == WANTED[file]


ALL = {target.name for target in KERNELS}


@pytest.mark.parametrize(
    ("file", "guards", "wanted"),
    [
        ("drivers/a/plain.c", (), ALL),
        ("drivers/a/plain.c", ("CONFIG_X32",), {"x86-64"}),
        ("drivers/a/plain.c", ("CONFIG_COMPAT",), {"x86-64", "arm64"}),
        ("drivers/a/thin.c", (), {"x86-64", "arm64"}),
        ("drivers/a/compat.c", (), {"x86-64"}),
        ("drivers/a/plain.c", ("!defined(CONFIG_COMPAT)",), ALL),
        (
            "drivers/a/plain.c",
            ("defined(CONFIG_64BIT) && !IS_ENABLED(CONFIG_X86_64)",),
            {"arm64", "powerpc-book3s64"},
        ),
        ("drivers/a/plain.c", ("CONFIG_64BIT", "CONFIG_X86_32"), set()),
        # What is not understood, or a choice, may hold everywhere.
        ("drivers/a/plain.c", ("BITS_PER_LONG == 64",), ALL),
        ("drivers/a/plain.c", ("CONFIG_LAST", "defined(SOME_MACRO(", "_OLD"), ALL),
        ("drivers/a/not.c", (), ALL),
        ("drivers/a/many.c", (), {"x86-64", "i386"}),
    ],
)
def test_targets_with_some_code(
    tree: Path, file: str, guards: tuple[str, ...], wanted: set[str]
) -> None:
    found = with_code(tree, file, guards, KERNELS)
    assert {target.name for target in found} == wanted


def test_sparc_has_a_kernel_of_each_width(tmp_path: Path) -> None:
    config = tmp_path / "arch/sparc/Kconfig"
    config.parent.mkdir(parents=True)
    config.write_text("config COMPAT\n\tbool\n\tdepends on SPARC64\n")
    for bits in (32, 64):
        target = Target(f"sparc{bits}", "sparc", "sparc", config="", bits=bits)
        found = with_code(tmp_path, "fs/a.c", ("CONFIG_COMPAT",), (target,))
        assert found == [target] * (bits == 64)
