# SPDX-License-Identifier: GPL-2.0
"""The base of an access, depending on what is known about its leftmost name.

In the table `u` is known to point to user memory and `k` to kernel memory; `x` is
unknown. With a wrong base, the wrong range would be checked.
"""

from __future__ import annotations

import pytest

from hotcocci.c.parsing import parse_text
from hotcocci.rewrite.base import (
    CALL,
    CAST,
    ELEMENT,
    FIELD,
    MEMORY,
    PLAIN,
    STEP,
    find_base,
)

USER, KERNEL = frozenset({"u"}), frozenset({"k"})

POINTERS: list[tuple[str, str, str, str, int | None]] = [
    # A plain pointer, and its elements
    ("u", "u", PLAIN, ELEMENT, 0),
    ("(u)", "u", PLAIN, ELEMENT, 0),
    ("u + 2", "u", PLAIN, ELEMENT, 2),
    ("(u + 0x10)", "u", PLAIN, ELEMENT, 16),
    ("u + 3UL", "u", PLAIN, ELEMENT, 3),
    ("u - 1", "u", PLAIN, ELEMENT, -1),
    ("u + i", "u", PLAIN, ELEMENT, None),
    ("&u[2]", "u", PLAIN, ELEMENT, 2),
    ("&u[i]", "u", PLAIN, ELEMENT, None),
    ("&u[2].a", "u", PLAIN, ELEMENT, 2),
    ("&u[i].a", "u", PLAIN, ELEMENT, None),
    ("x + 4", "x", PLAIN, ELEMENT, 4),
    # Fields
    ("&u->a", "u", PLAIN, FIELD, 0),
    ("&u->a.b", "u", PLAIN, FIELD, 0),
    ("&u->a[2]", "u", PLAIN, FIELD, 0),
    ("&u->a[i].b", "u", PLAIN, FIELD, 0),
    ("u->a", "u", PLAIN, FIELD, 0),
    ("&(u)->a", "u", PLAIN, FIELD, 0),
    ("&x->a", "x", PLAIN, FIELD, 0),
    # Pointers that move
    ("u++", "u", PLAIN, STEP, None),
    ("(u++)", "u", PLAIN, STEP, None),
    ("++u", "u", PLAIN, STEP, None),
    ("k->p++", "k->p", MEMORY, STEP, None),
    # User pointers stored in kernel memory
    ("k->p", "k->p", MEMORY, ELEMENT, 0),
    ("k->p + 3", "k->p", MEMORY, ELEMENT, 3),
    ("&k->p->a", "k->p", MEMORY, FIELD, 0),
    ("&k->p[1].a", "k->p", MEMORY, ELEMENT, 1),
    ("&k->p[1]", "k->p", MEMORY, ELEMENT, 1),
    ("&k->in.p->a", "k->in.p", MEMORY, FIELD, 0),
    ("&x->p->a", "x->p", MEMORY, FIELD, 0),
    ("x->p", "x->p", MEMORY, ELEMENT, 0),
    ("*x", "*x", MEMORY, ELEMENT, 0),
    ("&(*x)->a", "*x", MEMORY, FIELD, 0),
    ("&(*u).a", "u", PLAIN, FIELD, 0),
    ("&(*u)[2]", "u", PLAIN, FIELD, 0),
    ("&(*u)->a", "*u", MEMORY, FIELD, 0),
    # Only the last pointer can be in user memory
    ("&k[0].p->a", "k[0].p", MEMORY, FIELD, 0),
    ("&k[i].p->a", "k[i].p", MEMORY, FIELD, 0),
    ("&x[0].p->a", "x[0].p", MEMORY, FIELD, 0),
    ("&u[0]->a", "u[0]", MEMORY, FIELD, 0),
    # Casts and calls
    ("(int __user *)u", "u", CAST, ELEMENT, 0),
    ("(int __user *)x + 1", "x", CAST, ELEMENT, 1),
    ("&((struct s __user *)x)->a", "x", CAST, FIELD, 0),
    ("compat_ptr(x)", "compat_ptr(x)", CALL, ELEMENT, 0),
    ("&((struct s __user *)f(x))->a", "f(x)", CAST, FIELD, 0),
]


@pytest.mark.parametrize(("text", "key", "kind", "place", "index"), POINTERS)
def test_base(text: str, key: str, kind: str, place: str, index: int | None) -> None:
    base = find_base(text, parse_text(text), USER, KERNEL)
    assert (base.key, base.kind, base.place, base.index) == (key, kind, place, index)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("(u32 __user *)&u->a", True),
        ("(int __user *)k->p", True),
        ("(int __user *)u", False),
        ("&((struct s __user *)x)->a", False),
        ("&u->a", False),
    ],
)
def test_cast_of_the_address(text: str, wanted: bool) -> None:
    """If the address itself is cast, the field does not determine the width."""
    assert find_base(text, parse_text(text), USER, KERNEL).through_cast == wanted


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("&u->a", "& u -> b", True),
        ("&((struct s __user *)x)->a", "&((struct s __user *) (x))->b", True),
        ("&k->p->a", "&k->q->a", False),
        ("&u->a", "&x->a", False),
        ("&k[0].p->a", "&k[1].p->a", False),
    ],
)
def test_keys_distinguish_bases(one: str, other: str, same: bool) -> None:
    first, second = (
        find_base(t, parse_text(t), USER, KERNEL).key for t in (one, other)
    )
    assert (first == second) == same
