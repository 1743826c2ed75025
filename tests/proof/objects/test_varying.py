# SPDX-License-Identifier: GPL-2.0
"""Names whose meaning depends on the architecture or on an option are recognised."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from hotcocci.c.source import tokenize
from hotcocci.proof.objects.conditional import is_conditional
from hotcocci.proof.objects.varying import (
    OTHER_CODE,
    OTHER_MEANING,
    VARIES,
    Definitions,
    Exchange,
    named,
)

TEXTS = Path(__file__).with_name("varying")

GENERAL = (TEXTS / "general.h").read_text(encoding="utf-8")
OF_ARCH = """\
#define SHIFT 12
#define SIZE (OF_ASM(1) << SHIFT)
#define regs(x) (x)
#ifdef CONFIG_SAMPLE
#define BY_OPTION 1
#endif
"""
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
        ("__sometimes", OTHER_MEANING),
        ("BEFORE_IT", ""),
        ("OPTIONAL", VARIES),
        ("COUNTED", VARIES),
        ("FROM_HERE", ""),
        ("NOT_COUNTED", ""),
        ("DEFAULT", VARIES),
        ("LIBRARY", ""),
        ("plain_enumerator", ""),
    ],
)
def test_what_varies(name: str, why: str) -> None:
    known = Definitions(PREPROCESSED, "fs/sample.c", TEXTS.__getitem__)
    assert known.varies(name) == why


@pytest.mark.parametrize(
    ("name", "other", "why"),
    [
        ("user_of", ["plain"], OTHER_CODE),
        ("user_of", ["by_option"], ""),
        ("asks", ["plain"], OTHER_CODE),
        ("asks", ["CONFIG_OTHER"], ""),
        ("plain", [], ""),
    ],
)
def test_what_uses_something_that_varies(name: str, other: list[str], why: str) -> None:
    known = Definitions(PREPROCESSED, "fs/sample.c", TEXTS.__getitem__)
    theirs = Counter((each, "x") for each in other)
    change = Exchange(Counter([(name, "x")]), theirs, set(), False)
    assert known.differs(name, change) == why
    # The other side has it elsewhere, too.
    assert known.differs(name, change._replace(left={(name, "x")})) == ""


def test_code_of_an_architecture_knows_its_own() -> None:
    known = Definitions(PREPROCESSED, "arch/x86/mm/sample.c", TEXTS.__getitem__)
    assert known.varies("SIZE") == known.varies("regs") == ""
    assert known.varies("SOMETIMES") == known.varies("BY_OPTION") == VARIES


def test_keywords_are_no_names() -> None:
    code = tokenize("if (CONSTANT) return (copy_to_user(p, sizeof(x)) + other(1));")
    assert named(code, code) == {"CONSTANT": 1, "other": 1}


def test_the_condition_around_a_function_is_that_around_its_callers() -> None:
    text = (
        "#ifdef CONFIG_SAMPLE\nstatic int own(int x)\n{\n\treturn x;\n}\n"
        "static int one(int x)\n{\n\teach_part(x) {\n\t\tx++;\n\t}\n\treturn own(x);\n}\n#endif\n"
        "#define each_part(x) for (;;)\n"
    )
    said = '# 1 "before/fs/sample.c"\n' + text.replace("#ifdef CONFIG_SAMPLE", "")
    known = Definitions(said, "fs/sample.c", lambda _: text)
    assert known.varies("own") == known.varies("each_part") == ""
    assert Definitions(said, "fs/b.c", lambda _: text).varies("own") == OTHER_CODE


def test_a_guard_of_any_name_is_no_condition() -> None:
    text = "/* a */\n#ifndef _H_A_LIST\n#define _H_A_LIST\n#define MOST 5\n#endif\n"
    assert not is_conditional("MOST", text, own=False)
    assert is_conditional(
        "MOST", text.replace("LIST\n#d", "LIST\nint a;\n#d"), own=False
    )
