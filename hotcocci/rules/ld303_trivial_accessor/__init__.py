# SPDX-License-Identifier: GPL-2.0
"""LD303: call of a trivial accessor next to the same loads."""

from __future__ import annotations

from hotcocci.findings import PREPARED, SPATCH
from hotcocci.rules.entry import LOADS, Rule, Words

RULE = Rule(
    code="LD303",
    title="call of a trivial accessor next to the same loads",
    family=LOADS,
    engines=(SPATCH,),
    script="cocci/hot_load.cocci",
    tiers=(PREPARED,),
    doc=(
        "A hot function calls a function in another file that only loads, compares and returns, and makes the same "
        "loads itself. Inlined, the two would share the loads, and the call would go away."
    ),
    words=Words(
        "avoid calls of trivial accessors",
        "An out-of-line function only loads what its caller loads as well. Load it directly.",
    ),
    reasons={
        "out-of-line": (
            "The function could be inline in a header; that is its maintainer's decision. It uses nothing static."
        ),
        "early-exit": (
            "The function returns at its first test without an argument that its caller loads for it. The test could "
            "be made inline, before the loads and the call."
        ),
        "static-object": "The function uses static objects of its file, which a header would have to expose.",
    },
    example="accessor-inline",
    options=(
        "`--profile FILE` says which functions are hot; the default is the lists in `hotcocci/tree/hot`.",
    ),
    proof=(
        "The function behaves the same before and after, for all inputs if that can be shown; only the call of the "
        "accessor goes away."
    ),
)
