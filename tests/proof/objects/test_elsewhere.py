# SPDX-License-Identifier: GPL-2.0
"""What other compilers refuse is named, if the change brings it."""

import pytest

from hotcocci.proof.changed import Text
from hotcocci.proof.objects.elsewhere import (
    BUILTIN,
    EXTERN,
    LETTER,
    MESSAGE,
    NESTED,
    RECURSES,
    UNDEFINED,
    VARIABLE,
    refused,
    unbounded,
)

TABLE = "static const int a = 1;\n"


@pytest.mark.parametrize(
    ("old", "new", "reasons"),
    [
        (TABLE, f"{TABLE}static int b = a;", [VARIABLE]),
        (TABLE, f"{TABLE}int b[] = {{ [0] = 2, a, }};", [VARIABLE]),
        (TABLE, f"{TABLE}int *b = &a;", []),
        (TABLE, f"{TABLE}int b = sizeof(a);", []),
        (TABLE, f"{TABLE}struct s b = {{ .a = 2 }};", []),
        (TABLE, f"{TABLE}static int f(void) {{ int b = a; return b; }}", []),
        (TABLE, f"{TABLE}int f(void) {{ static int b = a; return b; }}", [VARIABLE]),
        (f"{TABLE}int b = a;", f"{TABLE}int c = a;", []),
        (
            "int f(int a)\n{\n}\n",
            "int f(int a)\n{\n	int g(int b)\n	{\n	}\n}\n",
            [NESTED],
        ),
        ("int f(int a)\n{\n}\n", "int f(int a)\n{\n}\nint g(int b)\n{\n}\n", []),
        (
            "int f(int a)\n{\n}\n",
            "int f(int a)\n{\n	if (a)\n		g();\n	else if (b) {\n	}\n}\n",
            [],
        ),
        ("inline int f(int a);", "extern inline int f(int a);", [EXTERN]),
        ("int f;", "int f; _Static_assert(g(1, 2));", [MESSAGE]),
        ("int f;", 'int f; _Static_assert(g(1, 2), "a");', []),
        (
            "",
            "int f(int a)\n{\n	return __builtin_speculation_safe_value(a);\n}\n",
            [BUILTIN],
        ),
        (
            "",
            "int f(int a)\n{\n	return __builtin_clzll(a) + __builtin_labs(a);\n}\n",
            [],
        ),
        ("", "int f(int a)\n{\n	return a ? f(a - 1) : 0;\n}\n", [RECURSES]),
        (
            "",
            "int f(int a);\nint f(int a)\n{\n	return a;\n}\nint g(int a)\n{\n	return f(a);\n}\n",
            [],
        ),
        ("int f;", "int f\xd0\xb5;", [LETTER]),
        ("char *f;", 'char *f = "\xd0\xb5"; /* \xd0\xb5 */', []),
    ],
)
def test_refused(old, new, reasons):
    found = refused(Text("a.c", new), Text("a.c", old))
    assert [why for _, why in found] == reasons


SHIFT = "int f(int a, int b)\n{\n	return a << (b & 31);\n}\n"


@pytest.mark.parametrize(
    ("new", "reasons"),
    [
        ("int f(int a, int b)\n{\n	return a << b;\n}\n", [UNDEFINED]),
        ("int f(int a, int b)\n{\n	b = b & 31;\n	return a << b;\n}\n", []),
        ("int f(int a, int b)\n{\n	return shifted(a, b);\n}\n", []),
        ("int f(int a, int b)\n{\n	return b < 0 ? 0 : a << (b & 31);\n}\n", []),
        (
            "int f(int a, int b)\n{\n	return a << b;\n}\nint g(int a)\n{\n	return 1 << (a & 31);\n}\n",
            [UNDEFINED],
        ),
        ("int g(int a, int b)\n{\n	return a << b;\n}\n", [UNDEFINED]),
    ],
)
def test_unbounded(new, reasons):
    old = Text("a.c", SHIFT)
    found = unbounded(old, Text("a.c", new), old.tokens)
    assert [why for _, why in found] == reasons
