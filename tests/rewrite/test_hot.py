# SPDX-License-Identifier: GPL-2.0
"""The functions checked by rules for hot code."""

from __future__ import annotations

from hotcocci.rewrite.hot import is_hot

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


def test_without_a_profile_the_lists_decide() -> None:
    assert is_hot("fs/namei.c", "", "acl_permission_check", None)
    assert not is_hot("fs/namei.c", "", "outer", None)
    assert not is_hot("drivers/a.c", "", "acl_permission_check", None)


def test_a_profile_overrides_the_lists() -> None:
    hot = frozenset({"outer"})
    assert is_hot("drivers/a.c", TEXT, "outer", hot)
    assert is_hot("drivers/a.c", TEXT, "inlined", hot)
    assert not is_hot("drivers/a.c", TEXT, "other", hot)
    assert not is_hot("fs/namei.c", TEXT, "acl_permission_check", hot)
    assert not is_hot("drivers/a.c", TEXT, "outer", frozenset())
