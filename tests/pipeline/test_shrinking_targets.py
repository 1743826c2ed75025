# SPDX-License-Identifier: GPL-2.0
"""Rewrites whose only gain is smaller code must shrink it on some target."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from hotcocci.findings import Cost, Count, Finding, Gain, Proof, Rewrite
from hotcocci.pipeline.other_targets import not_smaller, with_shrinking_targets
from hotcocci.pipeline.settings import Settings
from hotcocci.pipeline.worth import is_of
from hotcocci.proof.gate import Change
from hotcocci.tree.kernel import Tree

FILE = "fs/a.c"


def rewrite(code: str = "LD304") -> Rewrite:
    finding = Finding(
        code, FILE, 1, 1, "f", "", None, "x", None, "rewrite", "prepared", None
    )
    return Rewrite(finding, (), "widen", "classic")


def cost(instructions: int, size: int) -> Cost:
    return Cost(None, Count(instructions, 0, 0, 0), size)


def gain(target: str, after: int, size: int = 40) -> Gain:
    return Gain(target, FILE, "f", cost(10, 40), cost(after, size))


@pytest.mark.parametrize(
    ("gains", "small"),
    [
        ((gain("x86-64", 9),), True),
        ((gain("x86-64", 10, 39),), True),
        ((gain("x86-64", 10),), False),
        ((gain("x86-64", 11, 39),), False),
        ((gain("x86-64", 10), gain("arm64", 9)), True),
        ((), False),
    ],
)
def test_idle(gains: tuple[Gain, ...], small: bool) -> None:
    reason = not_smaller([rewrite()], Proof(FILE, gains=gains))
    assert (reason == "") == small
    if not small and gains:
        assert reason.startswith("f(): 10 instructions in 40 bytes before,")
    if not gains:
        assert reason == "f(): its compiled code does not change"


@pytest.mark.parametrize(
    ("function", "own"),
    [
        ("f", True),
        ("__do_sys_f", True),
        ("__do_compat_sys_f", True),
        ("____f", True),
        ("compat_f", False),
        ("__f", False),
        ("f_sys_g", False),
    ],
)
def test_the_function_of_a_finding(function: str, own: bool) -> None:
    of_another = replace(gain("x86-64", 9), function=function)
    assert is_of(of_another, rewrite().finding) == own


def test_rules_with_other_gains() -> None:
    assert not_smaller([rewrite("LD302")], Proof(FILE)) == ""


# The first change shrinks the code on arm64 alone, the second nowhere.
TEXT = """\
int f(int *p, int a)
{
#ifdef __aarch64__
	p[0] = (unsigned char)a + 1;
#else
	p[0] = a + 1;
#endif
	return p[1];
}
"""
SHRINKS = TEXT.replace("(unsigned char)a", "a")
SAME = TEXT.replace("p[1]", "*(p + 1)")

Shrunk = Callable[..., Proof]


@pytest.fixture
def shrunk(small_kernel: Callable[[dict[str, str]], Tree], tmp_path: Path) -> Shrunk:
    """Add the checks for other targets to the proof of a change."""
    tree = small_kernel({FILE: TEXT})
    settings = Settings(jobs=1, cache_dir=tmp_path / "cache")

    def add(after: str, *gains: Gain) -> Proof:
        todo = [Change(FILE, TEXT, after, "diff")]
        proofs = {FILE: Proof(FILE, gains=gains)}
        rewrites = {FILE: [rewrite()]}
        return with_shrinking_targets(tree, todo, rewrites, proofs, settings)[FILE]

    return add


def compiled(proof: Proof) -> list[str]:
    return [
        check.name.removeprefix("compile ")
        for check in proof.checks
        if check.name.startswith("compile ")
    ]


def test_no_other_target_if_one_is_enough(shrunk: Shrunk) -> None:
    assert compiled(shrunk(SHRINKS, gain("x86-64", 9))) == []


def test_targets_are_tried_until_one_is_smaller(shrunk: Shrunk) -> None:
    result = shrunk(SHRINKS, gain("x86-64", 10))
    assert compiled(result) == ["arm64"] and len(result.gains) == 2
    assert not_smaller([rewrite()], result) == ""
    result = shrunk(SAME, gain("x86-64", 10))
    assert compiled(result) == ["arm64", "powerpc-book3s64"]
    assert not_smaller([rewrite()], result) != ""


def test_a_requested_target_is_not_tried_twice(shrunk: Shrunk) -> None:
    result = shrunk(SAME, gain("x86-64", 10), gain("arm64", 10))
    assert compiled(result) == ["powerpc-book3s64"]


def test_a_target_without_a_compiler(
    shrunk: Shrunk, without: Callable[[list[str]], None]
) -> None:
    without(["aarch64-linux-gnu-gcc", "powerpc64le-linux-gnu-gcc"])
    checks = shrunk(SAME).checks
    assert [check.outcome for check in checks] == ["skipped"] * 2
    assert all(check.detail.startswith("cannot compile for ") for check in checks)
