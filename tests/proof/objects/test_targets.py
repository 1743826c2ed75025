# SPDX-License-Identifier: GPL-2.0
"""The comparison for all inputs on other targets than x86-64: no wrong rewrite is proven."""

import re
from pathlib import Path

import pytest
from planted import Planted, is_drawn, planted, rewritten
from together import files, results

from hotcocci.findings import DIFFERENT, NOT_PROVEN, PROVEN, Execution

pytestmark = pytest.mark.slow

# All cases ran once (benchmarks/results/by-hand.md).
TARGETS = ("arm64", "powerpc-8xx")
PLANTED, REWRITTEN = 8, 16
# Contains x86 assembly.
# The last two are right elsewhere: divisions do not trap, and tracers are not called.
X86 = {
    "assembly-constraint",
    "assembly-kept",
    "instruction-unknown",
    "feature-instruction",
    "feature-other",
    "feature-path-changed",
    "feature-path-kept",
    "division-overflows",
    "traced",
}
# Correct but not proven: C code instead of the exception table zeroes values that fail to load, also where
# access_ok() fails; two lines have the same code; __copy_to_user() and __put_user() check differently.
ELSEWHERE = {
    "copy-inline-as-store",
    "destination-shared",
    "late-load",
    "line-number",
    "line-number-in-name",
    "result-tells-of-fault",
    "warning-entry",
}
# Correct rewrites that are proven on x86-64 alone. access_ok() looks at the start of an object there, and at its
# size elsewhere: one that ends outside of user space is refused before its first member, or with fewer bytes is not.
PARTLY_OUTSIDE = {
    "arithmetic-between",
    "check-chain",
    "check-get",
    "check-later",
    "compute-between",
    "copy-whole",
    "declaration-tested",
    "destination-member",
    "exit-at-end",
    "exit-break",
    "guard-same-scope",
    "ifdef-around-both",
    "ifs-braced-goto",
    "ifs-goto-out",
    "loop-array-size",
    "pointer-advances-once",
    "struct-copy-between",
    "two-windows",
}
# The zero that a failed load leaves looks like any other, as above.
ZERO = {"destination-global"}
# Another access than the one that faulted may have stored, for all that is known.
STOPPED = {"accumulate-copy-joins"}
# Code for 64 bits alone.
LEFT_OUT = {"compat-branches", "ifdef-around", "ifdef-around-both", "ifdef-else-around"}
UNPROVEN = {
    "arm64": PARTLY_OUTSIDE | ZERO | STOPPED,
    "powerpc-8xx": PARTLY_OUTSIDE | ZERO | STOPPED | LEFT_OUT,
    "powerpc-book3s32": PARTLY_OUTSIDE | ZERO | STOPPED | LEFT_OUT,
}
# Correct without SMP and preemption: barriers between CPUs compile to nothing (asm/barrier.h), as
# preempt_enable() does.
RIGHT = {
    "arm64": set[str](),
    # There a long is an int.
    "powerpc-8xx": {"fence-dropped", "preemption-early", "return-type-widened"},
}
# arm64: PAN in software opens user access by this, which gets a value that is not followed.
BY_TTBR1 = "ttbr1_el1"


def compared(
    linux_tree: Path, folder: Path, cases: list[Planted], target: str
) -> dict[Planted, tuple[Execution, ...]]:
    """The results of each case, without what this configuration has no code for."""
    found = {
        case: tuple(each for each in every if each.unseen is None)
        for number, some in enumerate(files(cases))
        for case, every in results(
            linux_tree, folder / f"{number}", some, target
        ).items()
    }
    # Some that are not proven change nothing that is compiled here.
    assert all(found[case] for case in cases if case.verdict != NOT_PROVEN), found
    return found


def is_proven(found: tuple[Execution, ...]) -> bool:
    return all(each.verdict == PROVEN for each in found)


@pytest.mark.parametrize("target", TARGETS)
def test_verdicts(linux_tree, tmp_path, target):
    cases = [c for c in planted() if is_drawn(c, PLANTED) and c.name not in X86]
    found = compared(linux_tree, tmp_path, cases, target)
    wrong = [case for case in cases if case.verdict == DIFFERENT]
    assert [
        c.name for c in wrong if is_proven(found[c]) and c.name not in RIGHT[target]
    ] == []
    right = [c for c in cases if c.verdict == PROVEN]
    followed = {
        c: tuple(each for each in found[c] if BY_TTBR1 not in each.detail)
        for c in right
    }
    unproven = {c.name for c in right if not is_proven(followed[c])}
    assert unproven == ELSEWHERE & {c.name for c in right}


@pytest.mark.parametrize("target", (*TARGETS, "powerpc-book3s32"))
def test_rewrites(linux_tree, tmp_path, target):
    cases = [
        case
        for case in rewritten()
        if is_drawn(case, REWRITTEN)
        and case.verdict == PROVEN
        and case.name not in UNPROVEN[target]
    ]
    found = compared(linux_tree, tmp_path, cases, target)
    assert [case.name for case in cases if not is_proven(found[case])] == []


def test_a_result_of_a_byte_fills_its_register(linux_tree, tmp_path):
    # The caller tests the whole register (powerpc's System V ABI).
    before = (
        "#include <linux/types.h>\nstruct item { int colour; };\nbool ready(struct item *e);\n\n"
        "int changed(struct item *e)\n{\n\tif (ready(e))\n\t\treturn e->colour;\n\treturn 0;\n}\n"
    )
    after = before.replace("if (ready", "if (!ready").replace(
        "\t\treturn e->colour;\n\treturn 0;", "\t\treturn 0;\n\treturn e->colour;"
    )
    wrong = before.replace("if (ready", "if (!ready")
    cases = [Planted("byte", before, text, PROVEN) for text in (after, wrong)]
    found = [compared(linux_tree, tmp_path, [c], "powerpc-32")[c] for c in cases]
    assert [is_proven(each) for each in found] == [True, False]


def test_words_next_to_each_other_on_the_stack_are_compared_after_a_loop(
    linux_tree, tmp_path
):
    # Where the first byte of a word is the upper one
    before = (
        "void poke(void);\nvoid show(int *pair);\nint changed(void);\n\n"
        "int changed(void)\n{\n\tint pair[2];\n\tint i;\n\n\tpair[0] = 1;\n\tpair[1] = 2;\n"
        "\tfor (i = 0; i < 100; i++)\n\t\tpoke();\n\tshow(pair);\n\treturn 0;\n}\n"
    )
    after = before.replace("pair[1] = 2", "pair[1] = 0x1000002")
    case = Planted("pair", before, after, DIFFERENT)
    assert not is_proven(compared(linux_tree, tmp_path, [case], "powerpc-8xx")[case])


def test_the_key_that_turns_windows_off_is_off(linux_tree, tmp_path):
    # In 6.1, each half of a window asks it: a window for several accesses asks less often.
    before = (
        "#include <linux/compiler.h>\nextern struct { int enabled; } disable_kuap_key;\n\n"
        "int changed(int *p)\n{\n\tint a = *p;\n\n\tif (READ_ONCE(disable_kuap_key.enabled) > 0)\n"
        "\t\ta = 1;\n\treturn a;\n}\n"
    )
    asks = "\tif (READ_ONCE(disable_kuap_key.enabled) > 0)\n\t\ta = 1;\n"
    after = before.replace(asks, "")
    other = [text.replace("disable_kuap_key", "other_key") for text in (before, after)]
    cases = [Planted("key", *texts, PROVEN) for texts in ((before, after), other)]
    found = [compared(linux_tree, tmp_path, [c], "powerpc-8xx")[c] for c in cases]
    assert [is_proven(each) for each in found] == [True, False]


@pytest.mark.parametrize("target", ("powerpc-8xx", "powerpc-book3s32"))
def test_copies_and_structures(linux_tree, tmp_path, target):
    names = re.compile(r"structure-|copy-(?:as-stores|in-atomic-kept|with-a-hole|to-)")
    cases = [case for case in planted() if names.match(case.name)]
    found = compared(linux_tree, tmp_path, cases, target)
    assert len(cases) == 8
    for case in cases:
        assert is_proven(found[case]) is (case.verdict == PROVEN), found[case]


@pytest.mark.parametrize("target", TARGETS)
def test_a_function_is_the_same_wherever_those_are_that_it_calls(
    linux_tree, tmp_path, target
):
    before = (
        "#include <linux/compiler.h>\nint changed(int *p);\n"
        "int last(int a);\nint tail(int a);\n\n"
        "static noinline int first(int a)\n{\n\tbarrier();\n\treturn a;\n}\n\n"
        "int changed(int *p)\n{\n\tint a = READ_ONCE(*p);\n\n\treturn a / 7;\n}\n\n"
        "int last(int a)\n{\n\treturn first(a) + 1;\n}\n\n"
        "int tail(int a)\n{\n\treturn first(a);\n}\n"
    )
    after = before.replace("a / 7", "a / 7 + (a & 1) * 5")
    other = after.replace("return first(a);", "return changed(&a);")
    cases = [Planted("calls", before, text, DIFFERENT) for text in (after, other)]
    found = [compared(linux_tree, tmp_path, [c], target)[c] for c in cases]
    assert [{e.function for e in each} for each in found] == [
        {"changed"},
        {"changed", "tail"},
    ]
