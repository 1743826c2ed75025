# SPDX-License-Identifier: GPL-2.0
"""A line is named if no compilation sees it, once for all lines with the same reason."""

from hotcocci.findings import NOT_PROVEN, PROVEN, Execution, Line
from hotcocci.proof.task import grouped, nowhere

FILE, USER = "lib/a.h", "lib/user.c"
PROVEN_ONE = Execution("x86-64", USER, "f", PROVEN)


def unseen(
    number: int, target: str = "x86-64", file: str = FILE, before: bool = False
) -> Execution:
    line = Line(file, number, before)
    return Execution(target, USER, "f", NOT_PROVEN, "why", unseen=line)


def test_a_line_that_one_compilation_sees_is_seen():
    first = (unseen(1), unseen(2), PROVEN_ONE)
    second = (unseen(2, "i386"),)
    assert nowhere(FILE, [first, second]) == [unseen(2), PROVEN_ONE]
    assert nowhere(FILE, [first, ()]) == [PROVEN_ONE]
    assert nowhere(FILE, [first]) == list(first)


def test_lines_with_one_reason_are_one_result():
    lines = [unseen(n) for n in (7, 3, 4, 5)]
    found = grouped(FILE, [*lines, PROVEN_ONE, unseen(9, before=True)])
    assert [each.detail for each in found] == [
        "line 9 before the change is not compared: why",
        "lines 3 to 5, 7 are not compared: why",
        "",
    ]
    (other,) = grouped(FILE, [unseen(3, file=USER)])
    assert other.detail == f"line 3 of {USER} is not compared: why"
