# SPDX-License-Identifier: GPL-2.0
"""The functions checked by rules for hot code, and inline accesses in them."""

from dataclasses import replace
from pathlib import Path

from hotcocci.c.source import apply
from hotcocci.rewrite.options import (
    CLASSIC,
    MASKED,
    SCOPED,
    is_hot,
    options_of,
    small_api_for,
)
from hotcocci.rules.ua201_scalar_copy import decide
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


def options(hot=None, *derived):
    features = Features(False, True, False, True, True, frozenset({"x86"}))
    made = options_of(Path("/nowhere"), features, "auto", hot=hot)
    return replace(made, derived={"a.c": frozenset(derived)} if derived else {})


def test_no_masked_windows_for_architectures_that_cannot_mask():
    known = options()
    masking = replace(known.features, masking_arches=frozenset({"x86"}))
    known = replace(known, features=masking)
    assert small_api_for(known, "arch/powerpc/kvm/a.c") == CLASSIC
    assert small_api_for(known, "arch/powerpc/include/asm/a.h") == CLASSIC
    assert small_api_for(known, "arch/x86/kernel/a.c") == MASKED
    assert small_api_for(known, "fs/a.c") == MASKED
    assert small_api_for(replace(known, api=MASKED), "arch/powerpc/a.c") == MASKED
    assert small_api_for(replace(known, small_api=SCOPED), "arch/arm/a.c") == SCOPED


def test_a_profile_overrides_the_tree():
    known = options(frozenset({"outer"}), "other")
    assert is_hot(known, "a.c", TEXT, "outer")
    assert is_hot(known, "a.c", TEXT, "inlined")
    assert not is_hot(known, "a.c", TEXT, "other")
    assert not is_hot(options(frozenset()), "a.c", TEXT, "outer")


SCALAR = """\
int filldir64(unsigned int __user *u)
{
	unsigned int n;

	if (copy_from_user(&n, u, sizeof(n)))
		return -EFAULT;
	return n;
}
"""
# In the lists of hot functions
PLACE, FUNCTION = "fs/readdir.c", "filldir64"


def seen(see, text, **changes):
    """The facts of a text in a file of a tree, and options for scopes."""
    _, facts, options = see(text, "scoped", "small_copy")
    place = options.root / PLACE
    place.parent.mkdir(exist_ok=True)
    place.write_text(text, encoding="utf-8")
    options = replace(options, small_api="scoped", hot=frozenset({FUNCTION}))
    return text, replace(facts, file=PLACE), replace(options, **changes)


def test_inline_accesses_need_a_profile(see):
    """Their kernel-doc asks for a demonstrable performance reason."""
    for hot, name in ((frozenset({FUNCTION}), "get_user_inline"), (None, "get_user")):
        inline = Features(
            False, False, False, False, False, frozenset(), user_inline=True
        )
        _, rewrites = decide(*seen(see, SCALAR, features=inline, hot=hot))
        assert f"if ({name}(n, u))" in apply(SCALAR, rewrites[0].edits)
