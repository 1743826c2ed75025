# SPDX-License-Identifier: GPL-2.0
"""Names whose meaning depends on the architecture or on an option are recognised."""

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
    ("why", "names"),
    [
        ("", "ALWAYS plain always declared_elsewhere BEFORE_IT FROM_HERE"),
        ("", "NOT_COUNTED LIBRARY plain_enumerator"),
        (VARIES, "SOMETIMES DOUBLED OVERRIDDEN SIZE OPTIONAL COUNTED DEFAULT"),
        (OTHER_CODE, "by_option regs"),
        (OTHER_MEANING, "__sometimes"),
    ],
)
def test_what_varies(why, names):
    for name in names.split():
        known = Definitions(PREPROCESSED, "fs/sample.c", TEXTS.__getitem__)
        assert known.varies(name) == why, name


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
def test_what_uses_something_that_varies(name, other, why):
    known = Definitions(PREPROCESSED, "fs/sample.c", TEXTS.__getitem__)
    theirs = Counter((each, "x") for each in other)
    change = Exchange(Counter([(name, "x")]), theirs, set(), False)
    assert known.differs(name, change) == why
    # The other side has it elsewhere, too.
    assert known.differs(name, change._replace(left={(name, "x")})) == ""


def test_code_of_an_architecture_knows_its_own():
    known = Definitions(PREPROCESSED, "arch/x86/mm/sample.c", TEXTS.__getitem__)
    assert known.varies("SIZE") == known.varies("regs") == ""
    assert known.varies("SOMETIMES") == known.varies("BY_OPTION") == VARIES


def test_keywords_are_no_names():
    code = tokenize("if (CONSTANT) return (copy_to_user(p, sizeof(x)) + other(1));")
    assert named(code, code) == {"CONSTANT": 1, "other": 1}


def test_the_condition_around_a_function_is_that_around_its_callers():
    text = (
        "#ifdef CONFIG_SAMPLE\nstatic int own(int x)\n{\n\treturn x;\n}\n"
        "static int one(int x)\n{\n\teach_part(x) {\n\t\tx++;\n\t}\n\treturn own(x);\n}\n#endif\n"
        "#define each_part(x) for (;;)\n"
    )
    said = '# 1 "before/fs/sample.c"\n' + text.replace("#ifdef CONFIG_SAMPLE", "")
    known = Definitions(said, "fs/sample.c", lambda _: text)
    assert known.varies("own") == known.varies("each_part") == ""
    assert Definitions(said, "fs/b.c", lambda _: text).varies("own") == OTHER_CODE


def test_a_guard_of_any_name_is_no_condition():
    text = "/* a */\n#ifndef _H_A_LIST\n#define _H_A_LIST\n#define MOST 5\n#endif\n"
    assert not is_conditional("MOST", text, own=False)
    assert is_conditional(
        "MOST", text.replace("LIST\n#d", "LIST\nint a;\n#d"), own=False
    )
