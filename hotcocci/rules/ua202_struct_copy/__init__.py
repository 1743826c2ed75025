# SPDX-License-Identifier: GPL-2.0
"""UA202: copy of a small structure."""

from __future__ import annotations

from hotcocci.findings import MANUAL, PREPARED, SAFE
from hotcocci.rules.entry import (
    OF_WINDOWS,
    WITH_API,
    WITH_PREPARED,
    WITH_PROFILE,
    Rule,
    Words,
)
from hotcocci.tree.select import COPY

RULE = Rule(
    code="UA202",
    title="copy of a small structure",
    script="cocci/small_copy.cocci",
    mention=COPY,
    tiers=(SAFE, PREPARED, MANUAL),
    doc=(
        "copy_from_user() or copy_to_user() of a structure of up to 32 bytes. The copy calls a routine made for "
        "large copies; a window reads the members one by one, or writes the structure with unsafe_copy_to_user()."
    ),
    words=Words(
        "copy small structures inline",
        "copy_from_user() and copy_to_user() call a routine made for large copies. Copy small structures "
        "inline, in one user access window.",
    ),
    reasons={
        "padding": (
            "The structure has padding on some architecture: the copy fills it from user space, member by member"
            " it would keep its old content."
        ),
        "not-hot": (
            "The code is not known to be hot, is in a switch or is marked unlikely, and the rewrite adds lines; use"
            " --profile to measure."
        ),
        "large": "More than 32 bytes: leave that to copy_from_user() and copy_to_user().",
        "no-members": (
            "The structure cannot be copied member by member: it has a union, a bit-field, a long array or an"
            " unaligned member, or its members differ between architectures."
        ),
        "range-elsewhere": "The range was checked before; a window would check it again.",
    },
    shared_reasons=(
        *OF_WINDOWS,
        "work-before-test",
        "u64-arm32",
        "atomic-context",
        "type-unknown",
        "size-differs",
        "bool",
        "count-used",
        "result-unclear",
    ),
    example="struct-read",
    options=(
        WITH_API,
        WITH_PREPARED,
        WITH_PROFILE,
    ),
    proof=(
        "The same bytes are copied, and the function returns the same value. On a fault the members before it are "
        "copied whole, where the copy may have moved other bytes; the finding says so."
    ),
)
