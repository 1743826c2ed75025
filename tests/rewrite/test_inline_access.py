# SPDX-License-Identifier: GPL-2.0
"""Accesses that replace a small copy are inline where a profile has the function."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import replace

import pytest

from hotcocci.c.source import apply
from hotcocci.findings import Facts
from hotcocci.rewrite.options import Options
from hotcocci.rules.ua201_scalar_copy import decide

pytestmark = pytest.mark.skipif(not shutil.which("spatch"), reason="no spatch")

See = Callable[..., tuple[str, Facts, Options]]

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


def seen(see: See, text: str, **changes: object) -> tuple[str, Facts, Options]:
    """The facts of a text in a file of a tree, and options for scopes."""
    _, facts, options = see(text, "scoped", "small_copy")
    place = options.root / PLACE
    place.parent.mkdir(exist_ok=True)
    place.write_text(text, encoding="utf-8")
    options = replace(options, small_api="scoped", hot=frozenset({FUNCTION}))
    return text, replace(facts, file=PLACE), replace(options, **changes)


def test_inline_accesses_need_a_profile(see: See) -> None:
    """Their kernel-doc asks for a demonstrable performance reason."""
    profile = frozenset({FUNCTION})
    for hot, name in ((profile, "get_user_inline"), (None, "get_user")):
        _, rewrites = decide(*seen(see, SCALAR, user_inline=True, hot=hot))
        assert f"if ({name}(n, u))" in apply(SCALAR, rewrites[0].edits)
