# SPDX-License-Identifier: GPL-2.0
"""Windows in basic blocks printed by sparse; runs no sparse."""

from __future__ import annotations

from hotcocci.engines.blocks import END, RETURN, Imbalance, functions, imbalances

PRINTED = """\
f:
ep 0x7f00: f

.L0:
a.c:10
	<entry-point>
	call.32     %r4 <- hotcocci_begin, %arg1, $11
	cbr         %r4, .L1, .L2

.L1:
a.c:11
	call        hotcocci_opened, $11
	context     1
	cbr         %arg2, .L3, .L4

.L2:
a.c:12
	call        hotcocci_return, $0, $12
	br          .L9

.L3:
a.c:14
	call        hotcocci_return, $0, $0x40e
	br          .L9

.L4:
a.c:15
	call        hotcocci_end, $15
	context     -1
{more}	call        hotcocci_return, $0, $17
	br          .L9

.L9:
a.c:10
	ret.32      %r1
"""
SECOND_END = "\tcall        hotcocci_end, $16\n\tcontext     -1\n"


def found(printed: str, static: bool = False) -> list[Imbalance]:
    (function,) = functions(printed)
    return imbalances(function, static, lambda line: 0)


def test_a_return_inside() -> None:
    assert found(PRINTED.format(more="")) == [Imbalance(RETURN, 0x40E, (11,))]


def test_one_end_too_many() -> None:
    result = found(PRINTED.format(more=SECOND_END))
    assert Imbalance(END, 16) in result


def test_a_function_that_opens_for_its_caller() -> None:
    opening = PRINTED.format(more="").replace("hotcocci_end", "hotcocci_fault")
    assert found(opening)
    assert not found(opening, static=True)


def test_a_function_called_inside_a_window() -> None:
    inside = PRINTED.format(more=SECOND_END).replace(
        "hotcocci_opened", "hotcocci_fault"
    )
    assert not found(inside)


def test_a_condition_tested_twice() -> None:
    twice = PRINTED.format(more="").replace(
        ".L3:\na.c:14\n\tcall        hotcocci_return, $0, $0x40e\n\tbr          .L9",
        ".L3:\na.c:14\n\tcbr         %r4, .L4, .L2",
    )
    assert not found(twice)
