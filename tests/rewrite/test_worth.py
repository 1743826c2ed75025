# SPDX-License-Identifier: GPL-2.0
"""The look at a text turns down only what holds nothing to find."""

from __future__ import annotations

import pytest

from hotcocci.rewrite.worth import may_hold_loop, may_hold_run

ONE = "int f(void)\n{\n\tif (get_user(a, p))\n\t\treturn 1;\n}\n"
TWO = "int f(void)\n{\n\tif (get_user(a, p) ||\n\t    put_user (b, q))\n\t\treturn 1;\n}\n"
FOR = "int f(void)\n{\n\tfor (;;)\n\t\t__put_user(a, p++);\n}\n"


@pytest.mark.parametrize(
    ("text", "run", "loop"),
    [
        (ONE, False, False),
        (ONE + ONE, False, False),
        (TWO, True, False),
        (ONE + TWO, True, False),
        (FOR, False, True),
        # The loop belongs to the function before.
        ("int g(void)\n{\n\tfor (;;)\n\t\th();\n}\n" + ONE, False, False),
        # A nested block ends in a brace that is not in the first column.
        (
            "int f(void)\n{\n\tif (x) {\n\t\tget_user(a, p);\n\t}\n\tget_user(b, p);\n}\n",
            True,
            False,
        ),
        ("#define BOTH(p) \\\n\t(get_user(a, p) || get_user(b, p))\n", True, False),
        ("int my_get_user(int x);\nint force_put_user(int x);\n", False, False),
    ],
)
def test_worth(text: str, run: bool, loop: bool) -> None:
    assert may_hold_run(text) is run
    assert may_hold_loop(text) is loop
