# SPDX-License-Identifier: GPL-2.0
"""UA202: copy of a small structure."""

from __future__ import annotations

from hotcocci.findings import PREPARED, SAFE
from hotcocci.rules.entry import ACCESSES, Rule, SPATCH, Words

RULE = Rule(
    code="UA202",
    title="copy of a small structure",
    family=ACCESSES,
    engines=(SPATCH,),
    script="cocci/small_copy.cocci",
    tiers=(SAFE, PREPARED),
    doc=(
        "copy_from_user() or copy_to_user() of a structure of up to 32 bytes. The copy calls a routine made for "
        "large ones; a window fetches the members one by one, or stores the whole by unsafe_copy_to_user()."
    ),
    words=Words(
        "copy small structures inline",
        "copy_from_user() and copy_to_user() call a routine that is made for large copies. Copy small structures "
        "inline, in one user access window.",
    ),
    reasons={
        "padding": (
            "The structure has padding on some machine: a copy fills it from user space, reading the"
            " members would leave what was in it."
        ),
        "not-hot": (
            "The place is not known to run often, or marked as unlikely, and the rewrite takes more lines than it replaces:"
            " --profile tells better."
        ),
        "large": "More than 32 bytes: the routine of copy_from_user() and copy_to_user() is made for that.",
        "no-members": (
            "The structure cannot be copied member by member: it has a union, a bit-field, a long array or"
            " an unaligned member, or its members differ between architectures."
        ),
        "range-elsewhere": "The range was checked elsewhere; a window would check it again.",
    },
    shared_reasons=(
        "below-min-run",
        "no-gain-arch",
        "call-between",
        "different-exits",
        "other-errno",
        "fault-handled",
        "work-before-test",
        "value-read-on-fault",
        "u64-arm32",
        "ifdef",
        "cleanup-scope",
        "no-place-for-label",
        "variable-index",
        "mixed-condition",
        "result-ignored",
        "side-effect-argument",
        "atomic-context",
        "type-unknown",
        "size-differs",
        "bool",
        "count-used",
        "result-unclear",
    ),
    example="struct-read",
    options=(
        "`--api classic|masked|scoped` chooses how the window is opened; by default the best that the tree has.",
        "`--tier prepared` adds the rewrites that need a preparation, which the finding names.",
        "`--profile FILE` tells which functions are hot; without it the lists of `hotcocci/tree/hot` do.",
    ),
    proof=(
        "The same bytes are moved, and the function returns the same. On a fault the members before it are "
        "moved whole, where the copy may have moved other bytes; the finding says so."
    ),
)
