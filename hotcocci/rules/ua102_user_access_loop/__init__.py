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
)
