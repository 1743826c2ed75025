# SPDX-License-Identifier: GPL-2.0
"""UA102: loop of user accesses."""

from __future__ import annotations

from hotcocci.findings import MANUAL, PREPARED, SAFE
from hotcocci.rules.entry import (
    OF_POINTERS,
    OF_WINDOWS,
    SAME_ACCESSES,
    WITH_API,
    WITH_MIN_RUN,
    WITH_PREPARED,
    Rule,
    Words,
)
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
    shared_reasons=(*OF_WINDOWS, *OF_POINTERS),
    loops=True,
    example="loop-constant",
    options=(
        WITH_API,
        WITH_MIN_RUN,
        WITH_PREPARED,
    ),
    proof=SAME_ACCESSES,
)
