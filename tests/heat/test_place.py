# SPDX-License-Identifier: GPL-2.0
"""How often a line runs, from how often its function does."""

from __future__ import annotations

import pytest

from hotcocci.heat.graph import Heat
from hotcocci.heat.place import at_line

PLAIN = Heat(0.5, "per ioctl()")


@pytest.mark.parametrize(
    ("body", "factor", "per"),
    [
        ("\tif (put_user(x, p))\n\t\treturn -EFAULT;\n", 1, "per ioctl()"),
        ("\tif (x)\n\t\tput_user(x, p);\n", 0.5, "per ioctl()"),
        ("\tif (x)\n\t\tstop();\n\telse\n\t\tput_user(x, p);\n", 0.5, "per ioctl()"),
        ("\tif (unlikely(put_user(x, p)))\n\t\treturn -EFAULT;\n", 1, "per ioctl()"),
        ("\tif (unlikely(x))\n\t\tput_user(x, p);\n", 0.011, "seldom per ioctl()"),
        ("\tif (x) {\n\t\tput_user(x, p);\n\t\treturn -EINVAL;\n\t}\n", 0.011, "seldom per ioctl()"),
        ("\twhile (x--)\n\t\tput_user(x, p);\n", 1, "per ioctl()"),
        ("\tswitch (x) {\n" + "\tcase A:\n\t\tgo();\n" * 35 + "\tcase B:\n\t\tput_user(x, p);\n\t}\n", 1 / 6, "at times per ioctl()"),
        ("\tswitch (x) {\n\tcase VIDIOC_DQBUF:\n\t\tput_user(x, p);\n\t}\n", 0.6, "per video frame"),
        ("\tif (x) /* put_user(x, p) */\n\t\tcopy_to_user(p, &x, 4);\n", 0.5, "per ioctl()"),
        ("\tpr_emerg(x);\n\tput_user(x, p);\n", 1, "per ioctl()"),
    ],
)  # fmt: skip
def test_what_stands_around_an_access_counts(
    body: str, factor: float, per: str
) -> None:
    text = f"int other(int x)\n{{\n\tput_user(x, q);\n}}\n\nint f(int x)\n{{\n{body}\treturn 0;\n}}\n"
    lines = text.split("\n")
    line = next(
        n
        for n, code in enumerate(lines, 1)
        if n > 5 and "_user(" in code.partition("*/")[2] + code.partition("/*")[0]
    )
    found = at_line(PLAIN, text, line)
    assert found is not None
    assert (found.value / PLAIN.value, found.per) == (
        pytest.approx(factor, rel=0.1),
        per,
    )


def test_what_cannot_be_read_changes_nothing() -> None:
    assert at_line(PLAIN, "#define go(x) put_user(x, p)\n", 1) == PLAIN
    assert at_line(PLAIN, "int f(int x)\n{\n\tgo(x);\n}\n", 3) == PLAIN
    assert at_line(None, "int f(int x)\n{\n\tput_user(x, p);\n}\n", 3) is None
