# SPDX-License-Identifier: GPL-2.0
"""Accesses that the compiler proves to be inside or outside their window."""

from __future__ import annotations

import pytest

from hotcocci.proof import ranges
from hotcocci.tree.build import Build
from hotcocci.tree.command import commands
from hotcocci.tree.kernel import probe
from hotcocci.tree.overlay import lay
from hotcocci.tree.source import decode

FILE = "kernel/compat.c"

HEAD = """
#define BEGIN(mode, p, n)			\\
do {						\\
	if (!user_##mode##_begin(p, n))		\\
		return -EFAULT;			\\
} while (0)
#define R(p, n)		BEGIN(read_access, p, n)
#define W(p, n)		BEGIN(write_access, p, n)
#define RW(p, n)	BEGIN(access, p, n)

struct hc_inner {
	u32 x;
	u64 y;
};

struct hc_outer {
	u32 a;
	u64 b;
	void __user *p;
	u8 c[4];
	struct {
		struct hc_inner v[3];
	} n;
	u32 len;
};
"""

# One function per case: its parameters, and its body up to the label; R, W and RW begin a window that
# the label ends.
PROVED = {
    "fields of all kinds": (
        "struct hc_outer __user *s, u32 *o, u64 *o2",
        """
	void __user *q;
	u64 y;
	u8 c;

	R(s, sizeof(*s));
	unsafe_get_user(y, &s->b, Efault);
	unsafe_get_user(q, &s->p, Efault);
	unsafe_get_user(c, &s->c[3], Efault);
	*o = c;
	*o2 = y + (unsigned long)q;
	unsafe_get_user(*o, &s->n.v[2].x, Efault);
""",
    ),
    "an array and a loop that is unrolled": (
        "u32 __user *p, u32 *v",
        """
	int i;

	W(p, 8 * sizeof(*p));
	for (i = 0; i < 8; i++)
		unsafe_put_user(v[i], &p[i], Efault);
""",
    ),
    "a loop that is not unrolled": (
        "u32 __user *p, u32 *v",
        """
	int i;

	W(p, 800 * sizeof(*p));
	for (i = 0; i < 800; i++)
		unsafe_put_user(v[i], p + i, Efault);
""",
    ),
    "read, then write, then a part of it": (
        "unsigned long arg, u32 *v",
        """
	struct hc_outer __user *u = compat_ptr(arg);
	u32 a;

	RW(u, sizeof(*u));
	unsafe_get_user(a, &u->a, Efault);
	unsafe_put_user(a + 1, &u->len, Efault);
	unsafe_put_user(NULL, &u->p, Efault);
	user_access_end();
	R(&u->n, sizeof(u->n));
	unsafe_get_user(v[0], &u->n.v[0].x, Efault);
	unsafe_get_user(v[1], &u->n.v[1].x, Efault);
""",
    ),
    "scalars behind a cast": (
        "char __user *buf, int *v",
        """
	int __user *p = (int __user *)buf;

	R(p, 2 * sizeof(*p));
	unsafe_get_user(v[0], p, Efault);
	unsafe_get_user(v[1], p + 1, Efault);
""",
    ),
    "copies": (
        "struct hc_outer __user *u, void *from",
        """
	W(u, sizeof(*u));
	unsafe_copy_to_user(&u->n, from, sizeof(u->n), Efault);
""",
    ),
    "the masked idiom": (
        "struct hc_inner __user *s, u32 x",
        """
	if (can_do_masked_user_access())
		s = masked_user_access_begin(s);
	else
		W(s, sizeof(*s));
	unsafe_put_user(x, &s->x, Efault);
	unsafe_put_user(x, &s->y, Efault);
""",
    ),
}

OUTSIDE = {
    "the element behind the last": (
        "u32 __user *p, u32 v",
        """
	W(p, 8 * sizeof(*p));
	unsafe_put_user(v, &p[8], Efault);
""",
    ),
    "one byte too few": (
        "struct hc_inner __user *s, u64 y",
        """
	W(s, sizeof(*s) - 1);
	unsafe_put_user(y, &s->y, Efault);
""",
    ),
    "before the base": (
        "struct hc_inner __user *s, u32 x",
        """
	W(&s->y, sizeof(*s));
	unsafe_put_user(x, &s->x, Efault);
""",
    ),
    "a put in a read window": (
        "struct hc_inner __user *s, u32 x",
        """
	R(s, sizeof(*s));
	unsafe_put_user(x, &s->x, Efault);
""",
    ),
    "a copy beyond the end": (
        "struct hc_outer __user *u, void *from",
        """
	W(u, sizeof(*u));
	unsafe_copy_to_user(&u->n, from, sizeof(*u), Efault);
""",
    ),
    "after the end": (
        "struct hc_inner __user *s, u32 x",
        """
	W(s, sizeof(*s));
	user_write_access_end();
	unsafe_put_user(x, &s->x, Efault);
""",
    ),
}

UNPROVED = {
    "another pointer than begun": (
        "struct hc_inner __user *s, struct hc_inner __user *other",
        """
	W(s, sizeof(*s));
	unsafe_put_user(1, &other->x, Efault);
""",
    ),
    "a base that is loaded anew": (
        "struct hc_outer *s, struct hc_inner __user **at",
        """
	R(*at, sizeof(**at));
	unsafe_get_user(s->a, &(*at)->x, Efault);
	unsafe_get_user(s->b, &(*at)->y, Efault);
""",
    ),
}

UNKNOWN = {
    "an index that the compiler does not bound": (
        "u32 __user *p, u32 *v",
        """
	int i;

	W(p, 8 * sizeof(*p));
	for (i = 0; i <= 8; i++)
		unsafe_put_user(v[i], &p[i], Efault);
""",
    ),
    "a length known at run time": (
        "u32 __user *p, u32 *v, int n",
        """
	int i;

	W(p, n * sizeof(*p));
	for (i = 0; i < n; i++)
		unsafe_put_user(v[i], &p[i], Efault);
""",
    ),
    "a window that the caller began": (
        "struct hc_inner __user *s",
        """
	unsafe_put_user(1, &s->x, Efault);
""",
    ),
}

FUNCTION = """
int hc_test{number}({parameters});
int hc_test{number}({parameters})
{{{body}
	user_access_end();
	return 0;
Efault:
	user_access_end();
	return -EFAULT;
}}
"""


@pytest.fixture(scope="module")
def seen(
    prepared_build: Build, tmp_path_factory: pytest.TempPathFactory
) -> dict[str, ranges.Ranges]:
    """What the compiler says of the function of each case; all are in one file."""
    folder = tmp_path_factory.mktemp("ranges")
    masked = probe(prepared_build.tree).masked
    text = decode((prepared_build.tree / FILE).read_bytes()) + HEAD
    lines = {}
    for name, (parameters, body) in {
        **PROVED,
        **OUTSIDE,
        **UNPROVED,
        **UNKNOWN,
    }.items():
        if "masked" in name and not masked:
            continue
        first = text.count("\n") + 1
        text += FUNCTION.format(number=len(lines), parameters=parameters, body=body)
        lines[name] = range(first, text.count("\n") + 1)
    lay(prepared_build.tree, {FILE: text}, folder / "tree")
    command = commands(prepared_build, [FILE])[FILE]
    every = ranges.check(prepared_build, command, folder / "tree", folder)
    return {
        name: ranges.Ranges(
            tuple(m for m in every.outside if m.line in own),
            tuple(m for m in every.unproved if m.line in own),
            tuple(m for m in every.unknown if m.line in own),
            every.error,
        )
        for name, own in lines.items()
    }


Seen = dict[str, ranges.Ranges]


@pytest.mark.parametrize("case", PROVED)
def test_inside(seen: Seen, case: str) -> None:
    if case not in seen:
        pytest.skip("the tree has no masked windows")
    assert seen[case] == ranges.Ranges()


@pytest.mark.parametrize("case", OUTSIDE)
def test_outside(seen: Seen, case: str) -> None:
    assert len(seen[case].outside) == 1, seen[case]
    assert "outside its window: unsafe_" in seen[case].outside[0].text
    assert seen[case] == ranges.Ranges(outside=seen[case].outside)


@pytest.mark.parametrize("case", UNPROVED)
def test_not_proved(seen: Seen, case: str) -> None:
    assert seen[case].unproved
    assert seen[case] == ranges.Ranges(unproved=seen[case].unproved)


@pytest.mark.parametrize("case", UNKNOWN)
def test_not_known(seen: Seen, case: str) -> None:
    assert seen[case].unknown
    assert seen[case] == ranges.Ranges(unknown=seen[case].unknown)
