# SPDX-License-Identifier: GPL-2.0
"""The base of an access, depending on what is known about its leftmost name.

In the table `u` is known to point to user memory and `k` to kernel memory; `x` is
unknown. With a wrong base, the wrong range would be checked.
"""

from types import SimpleNamespace

import pytest

from hotcocci.c.parsing import parse_text
from hotcocci.c.source import Source
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


def base_of(text):
    """The base of a pointer, where u points to user memory and k to memory of the kernel."""
    context = SimpleNamespace(source=Source("a.c", text), user={"u"}, kernel={"k"})
    return find_base(parse_text(text), context)


# What an access is written as, its base, the base's kind, the place in it, and its index
POINTERS = [
    (PLAIN, ELEMENT, "u", {0: "u|(u)", 2: "u + 2|&u[2]|&u[2].a", 16: "(u + 0x10)"}),
    (PLAIN, ELEMENT, "u", {3: "u + 3UL", -1: "u - 1", None: "u + i|&u[i]|&u[i].a"}),
    (PLAIN, ELEMENT, "x", {4: "x + 4"}),
    (PLAIN, FIELD, "u", {0: "&u->a|&u->a.b|&u->a[2]|&u->a[i].b|u->a|&(u)->a"}),
    (PLAIN, FIELD, "u", {0: "&(*u).a|&(*u)[2]"}),
    (PLAIN, FIELD, "x", {0: "&x->a"}),
    # Pointers that move
    (PLAIN, STEP, "u", {None: "u++|(u++)|++u"}),
    (MEMORY, STEP, "k->p", {None: "k->p++"}),
    # User pointers stored in kernel memory
    (MEMORY, ELEMENT, "k->p", {0: "k->p", 3: "k->p + 3", 1: "&k->p[1].a|&k->p[1]"}),
    (MEMORY, FIELD, "k->p", {0: "&k->p->a"}),
    (MEMORY, FIELD, "k->in.p", {0: "&k->in.p->a"}),
    (MEMORY, FIELD, "x->p", {0: "&x->p->a"}),
    (MEMORY, ELEMENT, "x->p", {0: "x->p"}),
    (MEMORY, ELEMENT, "*x", {0: "*x"}),
    (MEMORY, FIELD, "*x", {0: "&(*x)->a"}),
    (MEMORY, FIELD, "*u", {0: "&(*u)->a"}),
    # Only the last pointer can be in user memory
    (MEMORY, FIELD, "k[0].p", {0: "&k[0].p->a"}),
    (MEMORY, FIELD, "k[i].p", {0: "&k[i].p->a"}),
    (MEMORY, FIELD, "x[0].p", {0: "&x[0].p->a"}),
    (MEMORY, FIELD, "u[0]", {0: "&u[0]->a"}),
    # Casts and calls
    (CAST, ELEMENT, "u", {0: "(int __user *)u"}),
    (CAST, ELEMENT, "x", {1: "(int __user *)x + 1"}),
    (CAST, FIELD, "x", {0: "&((struct s __user *)x)->a"}),
    (CALL, ELEMENT, "compat_ptr(x)", {0: "compat_ptr(x)"}),
    (CAST, FIELD, "f(x)", {0: "&((struct s __user *)f(x))->a"}),
]


@pytest.mark.parametrize(("kind", "place", "key", "texts"), POINTERS)
def test_base(kind, place, key, texts):
    for index, several in texts.items():
        for text in several.split("|"):
            found = base_of(text)
            assert (found.key, found.kind) == (key, kind), text
            assert (found.place, found.index) == (place, index), text


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
def test_cast_of_the_address(text, wanted):
    """If the address itself is cast, the field does not determine the width."""
    assert base_of(text).through_cast == wanted
