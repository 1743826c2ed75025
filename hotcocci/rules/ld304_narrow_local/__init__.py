# SPDX-License-Identifier: GPL-2.0
"""LD304: a narrow local that is computed with."""

from __future__ import annotations

from hotcocci.findings import PREPARED
from hotcocci.rules.entry import LOADS, Rule, SPATCH, Words

RULE = Rule(
    code="LD304",
    title="a narrow local that is computed with",
    family=LOADS,
    engines=(SPATCH,),
    script="cocci/hot_load.cocci",
    tiers=(PREPARED,),
    doc=(
        "A local of 8 or 16 bits in a hot function, of which a compiler has to mask what is computed. It "
        "becomes an unsigned int where nothing it is given can be cut off by the narrow type and no use tells "
        "the types apart, and where the code of some target gets smaller."
    ),
    words=Words(
        "compute with unsigned int",
        "A compiler has to mask what is computed in a local of 8 or 16 bits. Use unsigned int, where no value "
        "differs.",
    ),
    reasons={
        "parameter": "It is a parameter: the type of the function is not changed here.",
        "may-not-fit": "What the variable is given may be wider or negative: the narrow type cuts it off.",
        "declared-together": "It is declared together with others, or another variable has its name.",
        "narrow-use": (
            "A use may tell an int from an unsigned int, or needs the narrow type: an address, sizeof, a"
            " complement, a step, a comparison with what may be negative, an argument of unknown type."
        ),
    },
    must_shrink=True,
    example="narrow-mask",
    options=(
        "`--profile FILE` tells which functions are hot; without it the lists of `hotcocci/tree/hot` do.",
    ),
    proof=(
        "The function does the same before and after, for all inputs where that can be shown. A rewrite that "
        "makes no target's code smaller is refused."
    ),
)
