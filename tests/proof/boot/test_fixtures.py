# SPDX-License-Identifier: GPL-2.0
"""The cases of runs, before and after, called in a real kernel."""

from __future__ import annotations

import re

from boot_texts import HEAD
from case_files import FIXTURES, Case, read_cases, without_header
from conftest import Booted

from hotcocci.findings import PERMITTED, SAME
from hotcocci.proof.boot.outcome import CHECKED, ZEROED
from hotcocci.rules.implementation import implementation_of
from hotcocci.tree.select import ACCESS


ARGUMENTS = FIXTURES / "harness/include/fixture/arguments.h"
ENOUGH = 300.0
# From the simulation's driver: functions to call, and arguments within bounds.
ROUND = """
static void {case}_audit(struct karg *k) {{ k->total++; }}
static struct uarg __user *{case}_user_area(struct karg *k) {{ return k->user; }}
static u32 {case}_next_serial(struct karg *k) {{ return ++k->total; }}
static u32 {case}_encode(u32 value) {{ return value * 3 + 1; }}
"""
CALLER = """
static int {case}_called(struct karg *k, struct uarg __user *u, struct uarg __user *other)
{{
	k->count %= 9;
	k->index %= 3;
	k->flag &= 1;
	k->user = other;
	k->arg = (unsigned long)other;
	k->uptr32 = ptr_to_compat(other);
	/* {side} */
	return {case}(k, u);
}}
"""
EXTERN = ("audit", "user_area", "next_serial", "encode")


def _part(case: Case, text: str, side: str) -> str:
    """Prepare a case for a file that holds all of them."""
    name = "case_" + case.name.replace("-", "_")
    own = "\n".join(
        line
        for line in without_header(text).splitlines()
        if not line.startswith(("#include", "// SPDX"))
    )
    for extern in (*EXTERN, "subject"):
        renamed = name if extern == "subject" else f"{name}_{extern}"
        own = re.sub(rf"\b{extern}(?= ?\()", renamed, own)
    # Two cases may define helpers or macros of the same name.
    for helper in set(re.findall(r"^(?:static|#define).*?(\w+)\(", own, re.MULTILINE)):
        own = re.sub(rf"\b{helper}\b", f"{name}_{helper}", own)
    return ROUND.format(case=name) + own + CALLER.format(case=name, side=side)


# A called function must not sleep, keep data, or depend on its caller.
NOT_CALLED = re.compile(
    r"mutex_|kmalloc|kfree|guard\(|pagefault_|in_compat_syscall|^static (?!int subject)[^(]*;",
    re.MULTILINE,
)


def callable_cases() -> list[Case]:
    """Read the cases with a window that can be called unmodified."""
    return [
        c
        for c in read_cases()
        if implementation_of(c.code).mention == ACCESS
        and c.builds
        and "classic" in c.afters
        and not NOT_CALLED.search(c.source)
    ]


def test_a_case_of_each_shape_behaves_alike(booted: Booted) -> None:
    """One case per shape; all of them take a minute, with benchmarks/boot.py --cases."""
    cases = list({c.shape: c for c in callable_cases()}.values())
    assert len(cases) >= 10
    old, new = cases_as_files(cases)

    results = booted(old, new, ENOUGH)

    for case in cases:
        execution = results[caller_name(case)]
        assert execution.verdict in (SAME, PERMITTED), execution
        assert execution.runs > execution.faults > 100, execution
        if case.is_safe("classic"):
            assert not set(execution.permitted) - {ZEROED, CHECKED}, execution


def caller_name(case: Case) -> str:
    """Name the function that calls a case."""
    return "case_" + case.name.replace("-", "_") + "_called"


def cases_as_files(cases: list[Case]) -> tuple[str, str]:
    """Combine all cases into one file, before and after."""
    arguments = ARGUMENTS.read_text(encoding="ascii")
    old, new = (
        HEAD
        + arguments
        + "".join(
            _part(c, c.source if side == "before" else c.afters["classic"], side)
            for c in cases
        )
        for side in ("before", "after")
    )
    return old, new
