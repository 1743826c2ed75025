# SPDX-License-Identifier: GPL-2.0
"""LD303: a call of what only loads, beside the same loads."""

from __future__ import annotations

from hotcocci.findings import PREPARED
from hotcocci.rules.entry import LOADS, Rule, SPATCH, Words

RULE = Rule(
    code="LD303",
    title="a call of what only loads, beside the same loads",
    family=LOADS,
    engines=(SPATCH,),
    script="cocci/hot_load.cocci",
    tiers=(PREPARED,),
    doc=(
        "A hot function calls one of another file that does no more than to load, to compare and to return, "
        "and loads the same itself. Inline the two would share the loads, and there would be no call."
    ),
    words=Words(
        "avoid calls of trivial accessors",
        "A function that only loads what its caller loads as well is called out of line. Load it directly.",
    ),
    reasons={
        "out-of-line": (
            "A header could hold what the function does, which is for its maintainer to decide; nothing in it is"
            " static."
        ),
        "static-object": "The function uses what is static in its file, which a header would have to name.",
    },
    example="accessor-inline",
    options=(
        "`--profile FILE` tells which functions are hot; without it the lists of `hotcocci/tree/hot` do.",
    ),
    proof=(
        "The function does the same before and after, for all inputs where that can be shown; the call of the "
        "accessor is all that goes away."
    ),
)
