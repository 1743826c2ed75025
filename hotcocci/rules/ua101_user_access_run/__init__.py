# SPDX-License-Identifier: GPL-2.0
"""UA101: run of user accesses."""

from __future__ import annotations

from hotcocci.findings import MANUAL, PREPARED, SAFE
from hotcocci.rules.entry import Rule, Words
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
        "below-min-run",
        "no-gain-arch",
        "no-window-api",
        "second-base",
        "base-changes",
        "base-in-call",
        "cast-pointer",
        "call-between",
        "statement-between",
        "different-exits",
        "fault-handled",
        "fault-in-macro",
        "work-before-test",
        "value-read-on-fault",
        "double-fetch",
        "u64-arm32",
        "ifdef",
        "cleanup-scope",
        "no-place-for-label",
        "variable-index",
        "range-unknown",
        "bitfield",
        "mixed-condition",
        "result-ignored",
        "side-effect-argument",
        "atomic-context",
    ),
    example="chain-put-three",
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
