# SPDX-License-Identifier: GPL-2.0
"""The functions checked by rules for hot code."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from hotcocci.rewrite.options import (
    CLASSIC,
    MASKED,
    SCOPED,
    Options,
    is_hot,
    options_of,
    small_api_for,
)
from hotcocci.tree.kernel import Features

TEXT = """\
static int inlined(int a)
{
	return a;
}

int outer(int a)
{
	return inlined(a);
}

int other(int a)
{
	return a;
}
"""


def options(
    hot: frozenset[str] | None = None, *derived: str, api: str = "auto"
) -> Options:
    features = Features(False, True, False, True, True, frozenset({"x86"}))
    made = options_of(Path("/nowhere"), features, api, hot=hot)
    return replace(made, derived={"a.c": frozenset(derived)} if derived else {})


def test_no_masked_windows_for_architectures_that_cannot_mask() -> None:
    known = replace(options(), masking_arches=frozenset({"x86"}))
    assert small_api_for(known, "arch/powerpc/kvm/a.c") == CLASSIC
    assert small_api_for(known, "arch/powerpc/include/asm/a.h") == CLASSIC
    assert small_api_for(known, "arch/x86/kernel/a.c") == MASKED
    assert small_api_for(known, "fs/a.c") == MASKED
    assert small_api_for(replace(known, api=MASKED), "arch/powerpc/a.c") == MASKED
    assert small_api_for(replace(known, small_api=SCOPED), "arch/arm/a.c") == SCOPED


def test_a_profile_overrides_the_tree() -> None:
    known = options(frozenset({"outer"}), "other")
    assert is_hot(known, "a.c", TEXT, "outer")
    assert is_hot(known, "a.c", TEXT, "inlined")
    assert not is_hot(known, "a.c", TEXT, "other")
    assert not is_hot(options(frozenset()), "a.c", TEXT, "outer")
