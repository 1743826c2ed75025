# SPDX-License-Identifier: GPL-2.0
"""UA101: run of user accesses."""

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
    code="UA101",
    title="run of user accesses",
    script="cocci/user_access.cocci",
    mention=ACCESS,
    tiers=(SAFE, PREPARED, MANUAL),
    doc=(
        "Two or more get_user() or put_user() of one user object in a basic block. Each checks the range, opens "
        "user access and closes it; one window with unsafe_get_user() or unsafe_put_user() does that once."
    ),
    words=Words(
        "use user access windows",
        "Each get_user() and put_user() checks the range, opens access to user memory and closes it again. "
        "Open one window for several accesses to one object.",
    ),
    reasons={
        "macro-body": "The accesses are in the body of a macro; every use of it would change.",
        "unsafe-form": (
            "A macro of the same name with unsafe_ makes these accesses in a window that its caller opens: callers"
            " of the function save more with it."
        ),
    },
    shared_reasons=(
        *OF_WINDOWS,
        *OF_POINTERS,
        "work-before-test",
        "u64-arm32",
        "range-unknown",
        "bitfield",
        "atomic-context",
    ),
    example="chain-put-three",
    options=(
        WITH_API,
        WITH_MIN_RUN,
        WITH_PREPARED,
    ),
    proof=SAME_ACCESSES,
)
