# SPDX-License-Identifier: GPL-2.0
"""LD304: arithmetic on a narrow local variable."""

from __future__ import annotations

from hotcocci.findings import PREPARED, SPATCH
from hotcocci.rules.entry import LOADS, Rule, Words

RULE = Rule(
    code="LD304",
    title="arithmetic on a narrow local variable",
    family=LOADS,
    engines=(SPATCH,),
    script="cocci/hot_load.cocci",
    tiers=(PREPARED,),
    doc=(
        "A local variable of 8 or 16 bits in a hot function: the compiler has to mask each result. It becomes an "
        "unsigned int if the narrow type truncates none of its values, no use distinguishes the types, and the "
        "code of some target gets smaller."
    ),
    words=Words(
        "compute with unsigned int",
        "The compiler has to mask each result in a local variable of 8 or 16 bits. Use unsigned int; all values "
        "are the same.",
    ),
    reasons={
        "parameter": "It is a parameter; function types are not changed.",
        "may-not-fit": "A value assigned to it is not known to fit; the narrow type may truncate it.",
        "declared-together": "It shares its declaration, or another variable has its name.",
        "narrow-use": (
            "A use needs the narrow type, or may distinguish an int from an unsigned int: an address, sizeof, asm, ~, ++,"
            " a comparison with a value that may be negative, an argument of unknown type."
        ),
    },
    must_shrink=True,
    example="narrow-mask",
    options=(
        "`--profile FILE` says which functions are hot, and offers the rewrite there; without one it is looked for in the"
        " lists in `hotcocci/tree/hot`, and only `--churn` offers it.",
    ),
    proof=(
        "The function behaves the same before and after, for all inputs if that can be shown. A rewrite that "
        "makes no target's code smaller is refused."
    ),
)
