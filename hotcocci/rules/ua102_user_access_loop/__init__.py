# SPDX-License-Identifier: GPL-2.0
"""UA102: loop of user accesses."""

from __future__ import annotations

from hotcocci.findings import MANUAL, PREPARED, SAFE
from hotcocci.rules.entry import Rule, Words
from hotcocci.tree.select import ACCESS

RULE = Rule(
    code="UA102",
    title="loop of user accesses",
    script="cocci/user_access.cocci",
    mention=ACCESS,
    tiers=(SAFE, PREPARED, MANUAL),
    doc=(
        "get_user() or put_user() on consecutive elements in a loop whose bound is known before it starts. One "
        "window around the loop opens user access and checks the range once instead of once per element."
    ),
    words=Words(
        "use user access windows",
        "A loop of get_user() or put_user() checks the range, opens access to user memory and closes it again for "
        "each element. Open one window around the loop.",
    ),
    reasons={
        "loop-form": (
            "Only for (i = 0; i < n; i++) with one access per iteration is rewritten, if the condition with the access"
            " decides what a fault does, and with a constant or local n that the loop does not change."
        ),
        "writes-zeroes": "The loop only writes zeroes, which one clear_user() does.",
    },
    shared_reasons=(
        "below-min-run",
        "no-gain-arch",
        "no-window-api",
        "second-base",
        "base-changes",
        "base-in-call",
        "cast-pointer",
        "call-between",
        "statement-between",
        "mixed-condition",
        "fault-handled",
        "fault-in-macro",
        "double-fetch",
        "u64-arm32",
        "ifdef",
        "cleanup-scope",
        "variable-index",
        "range-unknown",
        "bitfield",
        "side-effect-argument",
        "atomic-context",
    ),
    loops=True,
    example="loop-constant",
    options=(
        "`--api classic|masked|scoped` chooses how windows are opened; the default is the best the tree has.",
        "`--min-run N` leaves out runs of fewer than N accesses; the default is 2, and cycles decide what is offered (docs/cycles.md).",
        "`--tier prepared` adds rewrites that need a preparation, which the finding names.",
    ),
    proof=(
        "The function behaves the same before and after, for all inputs if that can be shown: the same "
        "accesses in the same order, the same values, the same return value. On a fault the return value is "
        "the same; what else may differ is named in the finding, and nothing does in tier safe."
    ),
)
