# SPDX-License-Identifier: GPL-2.0
"""The conditions of #if lines around a place."""

from __future__ import annotations

import pytest

from hotcocci.c.conditionals import guards_around

TEXT = """\
a
#ifdef CONFIG_ONE
b
#if defined(CONFIG_TWO) && \\
	defined(CONFIG_THREE)
c
#else
d
#endif
e
#elif FOUR
f
#endif
#ifndef CONFIG_FIVE
g
# if 1
h
# endif
#endif
COMPAT_SYSCALL_DEFINE1(name, int, i)
{
}
j
"""


@pytest.mark.parametrize(
    ("place", "found"),
    [
        ("a", ()),
        ("b", ("CONFIG_ONE",)),
        ("c", ("CONFIG_ONE", "defined(CONFIG_TWO) &&  \tdefined(CONFIG_THREE)")),
        ("d", ("CONFIG_ONE",)),
        ("e", ("CONFIG_ONE",)),
        ("f", ("FOUR",)),
        # Whether CONFIG_FIVE is off is not asked.
        ("g", ()),
        ("h", ("1",)),
        ("}", ("CONFIG_COMPAT",)),
        ("j", ()),
    ],
)
def test_what_holds(place: str, found: tuple[str, ...]) -> None:
    assert guards_around(TEXT, TEXT.index(f"\n{place}") if place != "a" else 0) == found
