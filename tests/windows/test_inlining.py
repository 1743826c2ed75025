# SPDX-License-Identifier: GPL-2.0
"""Out-of-line functions that an inline one calls on every path."""

from __future__ import annotations

from pathlib import Path

import pytest

from hotcocci.windows.inlining import always_calls

HEADER = """
int far_away(int x);
int far_off(int x);
DEFINE_LOCK_GUARD_1(far, int,
		    far_away(_T->lock),
		    far_off(_T->lock))

#define coldly(x) __builtin_expect(!!(x), 0)
"""
ALWAYS = """
static inline int statement(int x) { return far_away(x); }
static inline int deeper(int x) { int y = statement(x); return y ? y : 1; }
static inline int both(int x)
{
	if (x > 3) {
		x++;
		return far_away(x);
	}
	return far_off(x);
}
static inline int otherwise(int x)
{
	if (x)
		x = far_away(x);
	else
		x = far_off(x);
	return x;
}
static inline int afterwards(int x)
{
	if (x)
		x = 4;
	while (x > 10)
		x--;
	do {
		x = far_away(x);
	} while (0);
	return x;
}
static inline int in_condition(int x) { if (far_away(x)) return 1; return 0; }
#define by_macro(x) far_away(x)
"""
NOT = """
static inline int empty(int x) { return x; }
static inline int neighbour(int x)
{
	if (x)
		return far_away(x);
	return 0;
}
static inline int one_branch(int x)
{
	if (coldly(x))
		return far_away(x);
	return x;
}
static inline int early(int x)
{
	if (x) {
		if (x > 2)
			return 2;
		x = 3;
	}
	return far_away(x);
}
static inline int in_loop(int x) { for (; x; x = far_away(x)) x--; return x; }
static inline int short_circuit(int x) { return x && far_away(x); }
static inline int chosen(int x) { int y = x ? 1 : far_away(x); return y; }
static inline int configured(int x)
{
#ifdef CONFIG_TRACE
	far_away(x);
#endif
	return x;
}
static inline int in_case(int x)
{
	switch (x) {
	case 1:
		return far_away(x);
	}
	return x;
}
static inline int in_size(int x) { return sizeof(far_away(x)); }
"""


def _names(text: str) -> list[str]:
    lines = text.splitlines()
    heads = (
        line for line in lines if line.startswith(("static inline int ", "#define "))
    )
    return [head.partition("(")[0].split()[-1] for head in heads]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "include/linux").mkdir(parents=True)
    (tmp_path / "include/linux/far.h").write_text(HEADER)
    (tmp_path / "some.c").write_text(f"#include <linux/far.h>\n{ALWAYS}{NOT}")
    return tmp_path


@pytest.mark.parametrize("name", _names(ALWAYS))
def test_on_every_path(root: Path, name: str) -> None:
    assert always_calls(root, "some.c", name) == "far_away"


@pytest.mark.parametrize("name", _names(NOT))
def test_not_on_every_path(root: Path, name: str) -> None:
    assert always_calls(root, "some.c", name) is None


def test_many_branches_take_no_time(root: Path) -> None:
    branches = "	if (x == 1)\n		x++;\n" * 60
    body = f"static inline int long_one(int x)\n{{\n{branches}	return far_away(x);\n}}\n"
    (root / "some.c").write_text(f"#include <linux/far.h>\n{body}")
    assert always_calls(root, "some.c", "long_one") == "far_away"


def test_guard(root: Path) -> None:
    assert always_calls(root, "some.c", "guard(far)") == "far_away"
    assert always_calls(root, "some.c", "guard(near)") is None


def test_opens_or_sleeps(root: Path) -> None:
    helpers = (
        "static inline int fetch(int x) { return get_user(x, to); }\n"
        "static inline void rest(void) { msleep(3); }\n"
    )
    (root / "some.c").write_text(f"#include <linux/far.h>\n{helpers}")
    assert always_calls(root, "some.c", "fetch") == "get_user"
    assert always_calls(root, "some.c", "rest") == "msleep"
