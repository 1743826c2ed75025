# SPDX-License-Identifier: GPL-2.0
"""Directions of the accesses that a called macro or function makes."""

from __future__ import annotations

from pathlib import Path

import pytest

from hotcocci.findings import READ, WRITE
from hotcocci.windows.effects import directions

TEXT = """
#define put_pair(a, b, p, label) do { \\
	unsafe_put_user(a, &(p)->a, label); \\
	put_other(b, p, label); \\
} while (0)
#define put_other unsafe_put_user
#define asked(x) ((x)->wanted)
static __always_inline int fetched(struct pair __user *p)
{
	int a;

	unsafe_get_user(a, &p->a, efault);
	return asked(&a) + likely(a);
efault:
	return 0;
}
static inline int swapped(struct pair __user *p)
{
	put_pair(1, 2, p, efault);
	return fetched(p);
efault:
	return 0;
}
static inline void flushed(void *p)
{
	asm volatile("dcbst 0, %0" : : "r" (p));
}
static inline int through(int (*fn)(int))
{
	return (*fn)(1);
}
static inline int further(int x)
{
	return declared(x);
}
int declared(int x);
#define twice(x) once(x)
#define twice(x) flushed(x)
"""


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("unsafe_get_user", {READ}),
        ("unsafe_try_cmpxchg_user", {READ, WRITE}),
        ("put_other", {WRITE}),
        ("put_pair", {WRITE}),
        ("asked", set()),
        ("fetched", {READ}),
        ("swapped", {READ, WRITE}),
        ("__builtin_expect", set()),
        ("flushed", None),
        ("through", None),
        ("further", None),
        ("declared", None),
        ("twice", None),
        ("nowhere", None),
        ("asm", None),
        ("", None),
    ],
)
def test_directions(tmp_path: Path, name: str, expected: set[str] | None) -> None:
    (tmp_path / "a.c").write_text(TEXT)
    found = directions(tmp_path, "a.c", name)
    assert found == (None if expected is None else frozenset(expected))
