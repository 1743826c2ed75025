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
TEXTS = Path(__file__).with_name("targets")
# What other targets do with some cases, and why, by kind
LISTED = re.compile(r"^([\w-]+): (.*)$", re.MULTILINE)
EXCEPTIONS = {
    kind: set(names.split())
    for kind, names in LISTED.findall((TEXTS / "exceptions").read_text())
}
ELSEWHERE = EXCEPTIONS["elsewhere"]
SHORT = EXCEPTIONS["partly-outside"] | EXCEPTIONS["zero"] | EXCEPTIONS["stopped"]
UNPROVEN = {
    "arm64": SHORT,
    "powerpc-8xx": SHORT | EXCEPTIONS["left-out"],
    "powerpc-book3s32": SHORT | EXCEPTIONS["left-out"],
}
RIGHT = {"arm64": set(), "powerpc-8xx": EXCEPTIONS["right"]}
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
    cases = [
        c for c in planted() if is_drawn(c, PLANTED) and c.name not in EXCEPTIONS["x86"]
    ]
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


def text(name: str) -> str:
    return (TEXTS / name).read_text(encoding="ascii")


def are_proven(
    linux_tree: Path, folder: Path, target: str, *sides: tuple[str, str]
) -> list[bool]:
    """Whether each text does the same as the one before it."""
    cases = [Planted("case", *both, PROVEN) for both in sides]
    found = [compared(linux_tree, folder, [c], target)[c] for c in cases]
    return [is_proven(each) for each in found]


def test_a_result_of_a_byte_fills_its_register(linux_tree, tmp_path):
    # The caller tests the whole register (powerpc's System V ABI).
    afters = ("byte.after", "byte-wrong.after")
    sides = [(text("byte.c"), text(after)) for after in afters]
    assert are_proven(linux_tree, tmp_path, "powerpc-32", *sides) == [True, False]


def test_words_next_to_each_other_on_the_stack_are_compared_after_a_loop(
    linux_tree, tmp_path
):
    # Where the first byte of a word is the upper one
    sides = (text("pair.c"), text("pair.after"))
    assert are_proven(linux_tree, tmp_path, "powerpc-8xx", sides) == [False]


def test_the_key_that_turns_windows_off_is_off(linux_tree, tmp_path):
    # In 6.1, each half of a window asks it: a window for several accesses asks less often.
    own = (text("key.c"), text("key.after"))
    other = tuple(each.replace("disable_kuap_key", "other_key") for each in own)
    proven = are_proven(linux_tree, tmp_path, "powerpc-8xx", own, other)
    assert proven == [True, False]


def test_flags_come_with_a_pointer_also_in_memory(linux_tree, tmp_path):
    own = (text("flagged.c"), text("flagged.after"))
    other = tuple(each.replace("fdget", "find") for each in own)
    proven = are_proven(linux_tree, tmp_path, "powerpc-32", own, other)
    assert proven == [True, False]


@pytest.mark.parametrize("target", ("powerpc-8xx", "powerpc-book3s32"))
def test_copies_and_structures(linux_tree, tmp_path, target):
    names = re.compile(r"structure-|copy-(?:as-stores|in-atomic-kept|with-a-hole|to-)")
    cases = [case for case in planted() if names.match(case.name)]
    found = compared(linux_tree, tmp_path, cases, target)
    assert len(cases) == 8
    # Where a window stores that it is open, in the task, is known of the usual layout of a task alone.
    unknown = "structure-" if target == "powerpc-book3s32" else "none of them"
    for case in cases:
        wanted = case.verdict == PROVEN and not case.name.startswith(unknown)
        assert is_proven(found[case]) is wanted, (case.name, found[case])


@pytest.mark.parametrize("target", TARGETS)
def test_a_function_is_the_same_wherever_those_are_that_it_calls(
    linux_tree, tmp_path, target
):
    before, after = text("calls.c"), text("calls.after")
    other = after.replace("return first(a);", "return changed(&a);")
    cases = [Planted("calls", before, text, DIFFERENT) for text in (after, other)]
    found = [compared(linux_tree, tmp_path, [c], target)[c] for c in cases]
    assert [{e.function for e in each} for each in found] == [
        {"changed"},
        {"changed", "tail"},
    ]
