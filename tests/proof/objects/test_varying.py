# SPDX-License-Identifier: GPL-2.0
"""What an architecture or an option defines is told from what is the same everywhere."""

from __future__ import annotations

import pytest

from hotcocci.c.source import tokenize
from hotcocci.proof.objects.varying import OTHER_CODE, VARIES, Definitions, named

GENERAL = """\
#ifndef _LINUX_SAMPLE_H
#define _LINUX_SAMPLE_H
#define ALWAYS 7
#ifdef CONFIG_SAMPLE
#define SOMETIMES 1
#endif
#define DOUBLED (2 * SOMETIMES)
#ifndef OVERRIDDEN
#define OVERRIDDEN 3
#endif
#define plain(x) ((x) + 1)
static inline int by_option(int x)
{
#ifdef CONFIG_SAMPLE
	return x;
#else
	return 0;
#endif
}
static inline int always(int x)
{
	return x;
}
#endif
"""
OF_ARCH = "#define SHIFT 12\n#define SIZE (OF_ASM(1) << SHIFT)\n#define regs(x) (x)\n"
TEXTS = {"include/linux/sample.h": GENERAL, "arch/x86/include/asm/s.h": OF_ARCH}
PREPROCESSED = "".join(
    f'# 1 "{file}"\n'
    + "".join(line for line in text.splitlines(True) if "if" not in line)
    for file, text in TEXTS.items()
)


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("ALWAYS", ""),
        ("SOMETIMES", VARIES),
        ("DOUBLED", VARIES),
        ("OVERRIDDEN", VARIES),
        ("SIZE", VARIES),
        ("plain", ""),
        ("always", ""),
        ("by_option", OTHER_CODE),
        ("regs", OTHER_CODE),
        ("declared_elsewhere", ""),
    ],
)
def test_what_varies(name: str, why: str) -> None:
    known = Definitions(PREPROCESSED, "fs/sample.c", TEXTS.__getitem__)
    assert known.varies(name) == why


def test_code_of_an_architecture_knows_its_own() -> None:
    known = Definitions(PREPROCESSED, "arch/x86/mm/sample.c", TEXTS.__getitem__)
    assert known.varies("SIZE") == known.varies("regs") == ""
    assert known.varies("SOMETIMES") == VARIES


def test_keywords_are_no_names() -> None:
    code = tokenize("if (CONSTANT) return (copy_to_user(p, sizeof(x)) + other(1));")
    assert named(code, code) == {"CONSTANT": 1, "other": 1}
