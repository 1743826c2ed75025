# SPDX-License-Identifier: GPL-2.0
"""Annotations of instructions from gcc's assembly listing, on each supported architecture."""

from __future__ import annotations

import re

import pytest

from hotcocci.proof.objects.marks import (
    CALL_KIND,
    FIRST,
    VOLATILE_KIND,
    annotated,
)

ARM64 = """\
//(insn 14 18 20 (set (reg:DI 3 x3)
//        (zero_extend:DI (mem/v:QI (reg/v/f:DI 20 x20) [0 S1 A8]))) "t.c":3:53 119 {*zero}
//     (nil))
	ldrb	w3, [x20]	// 14	[c=16 l=4]
//(insn 15 18 20 (set (reg:DI 3 x3)
//        (mem:DI (reg/v/f:DI 20 x20) [0 S1 A8]))) "t.c":3:53 119 {*move}
//     (nil))
	ldr	x3, [x20]	// 15	[c=16 l=4]
//(call_insn:TI 20 14 22 (parallel [
//            (call (mem:DI (symbol_ref:DI ("f") [flags 0x41]) [0 f S8 A8])
//        ]) "t.c":3:81 47 {*call_value_insn}
//    (expr_list (clobber (reg:DI 17 x17))
//            (expr_list:SI (use (reg:SI 0 x0))
//                (expr_list:QI (use (reg:QI 1 x1))
//                    (expr_list:TI (use (reg:TI 2 x2))
//                        (nil)))))))
	bl	f		// 20	[c=4 l=4]
#APP
// 6 "t.c" 1
	.if 1 == 1
661:
	ldr w0, [x1]
662:
	.endif
	.if 0 == 1
	ldar w0, [x1]
	.endif
	dmb ishld
// 0 "" 2
#NO_APP
"""
POWERPC = """\
 #(insn 15 13 17 (set (reg:SI 9 9)
 #        (zero_extend:SI (mem/v:QI (reg/v/f:SI 31 31) [0 S1 A8]))) "p.c":3:60 7 {zero}
 #     (nil))
	lbz 9,0(31)	 # 15	[c=8 l=4]  zero_extendqisi2/0
 #(call_insn 23 22 25 (parallel [
 #            (call (mem:SI (symbol_ref:SI ("f") [flags 0x41]) [0 f S4 A8])
 #            (use (const_int 0 [0]))
 #        ]) "p.c":3:152 821 {*call_value_nonlocal_sysvsi}
 #    (expr_list:SI (use (reg:SI 3 3))
 #        (expr_list:QI (use (reg:QI 4 4))
 #            (expr_list:DI (use (reg:DI 5 5))
 #                (nil)))))
	bl f		 # 23	[c=4 l=4]  *call_value_nonlocal_sysvsi
#APP
 # 3 "p.c" 1
	sync
	lwz 29,0(31)
	twi 0,29,0
	isync
 # 0 "" 2
#NO_APP
"""
SIZES = {1: 1, 2: 2, 3: 4, 4: 8}


def marked(text: str) -> list[tuple[str, int, tuple[int, ...]]]:
    """The annotations: mnemonic, kind, and the bytes of each register that a call reads."""
    listing = annotated(text)
    names = re.findall(r"\.Lhotcocci\d+:\n\s*(\w+)", listing)
    packed = [int(each) for each in re.findall(r"\.long \S+ - \., (\d+)", listing)]
    return [
        (
            name,
            each & (1 << FIRST) - 1,
            tuple(SIZES.get(each >> FIRST + 3 * n & 7, 0) for n in range(8)),
        )
        for name, each in zip(names, packed, strict=True)
    ]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        (
            ARM64,
            [
                ("ldrb", VOLATILE_KIND, (0,) * 8),
                ("bl", CALL_KIND, (4, 1, 8, 8, 0, 0, 0, 0)),
                ("ldr", VOLATILE_KIND, (0,) * 8),
            ],
        ),
        (
            POWERPC,
            [
                ("lbz", VOLATILE_KIND, (0,) * 8),
                ("bl", CALL_KIND, (4, 1, 4, 4, 0, 0, 0, 0)),
                ("lwz", VOLATILE_KIND, (0,) * 8),
            ],
        ),
    ],
    ids=["arm64", "powerpc"],
)
def test_marks(text: str, wanted: list[tuple[str, int, tuple[int, ...]]]) -> None:
    assert marked(text) == wanted
