# SPDX-License-Identifier: GPL-2.0
"""The functions checked by rules for hot code."""

from __future__ import annotations

from pathlib import Path

import pytest

from hotcocci.rewrite.hot import for_file, is_hot
from hotcocci.rewrite.options import options_of
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


@pytest.mark.parametrize(
    ("api", "scoped", "hot", "cold"),
    [
        ("auto", False, "masked", "classic"),
        ("auto", True, "scoped", "scoped"),
        ("classic", False, "classic", "classic"),
        ("masked", False, "masked", "masked"),
    ],
)
def test_windows_of_files_with_hot_functions_have_no_fence(
    tmp_path: Path, api: str, scoped: bool, hot: str, cold: str
) -> None:
    features = Features(scoped, True, False, True, True, frozenset({"x86"}))
    options = options_of(tmp_path, features, api)

    def kind(file: str) -> str:
        return for_file(options, file).api

    assert (kind("fs/readdir.c"), kind("drivers/a.c")) == (hot, cold)
