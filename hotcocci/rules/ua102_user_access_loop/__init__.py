# SPDX-License-Identifier: GPL-2.0
"""UA102: loop of user accesses."""

from __future__ import annotations

from hotcocci.findings import PREPARED, SAFE
from hotcocci.rules.entry import ACCESSES, Rule, SPATCH, Words

RULE = Rule(
    code="UA102",
    title="loop of user accesses",
    family=ACCESSES,
    engines=(SPATCH,),
    script="cocci/user_access_loop.cocci",
    tiers=(SAFE, PREPARED),
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
        "loop-unbounded": "The number of rounds is not known before the loop begins."
    },
    shared_reasons=(
        "below-min-run",
        "no-gain-arch",
        "second-base",
        "base-changes",
        "base-in-call",
        "cast-pointer",
        "call-between",
        "fault-handled",
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
    one_kept=True,
    example="loop-constant",
    options=(
        "`--api classic|masked|scoped` chooses how the window is opened; by default the best that the tree has.",
        "`--min-run N`: the fewest accesses that are worth a window, 3 for classic windows and 2 for others.",
        "`--tier prepared` adds the rewrites that need a preparation, which the finding names.",
    ),
    proof=(
        "The function does the same before and after, for all inputs where that can be shown: the same "
        "accesses in the same order, the same values, the same return value. On a fault the return value is "
        "the same; what else may differ is named in the finding, and nothing does in tier safe."
    ),
)
