# SPDX-License-Identifier: GPL-2.0
"""UA201: copy of a scalar."""

from __future__ import annotations

from hotcocci.findings import PREPARED, READ, SAFE, WRITE
from hotcocci.rules.entry import ACCESSES, Rule, SPATCH, Words

RULE = Rule(
    code="UA201",
    title="copy of a scalar",
    family=ACCESSES,
    engines=(SPATCH,),
    script="cocci/small_copy.cocci",
    tiers=(SAFE, PREPARED),
    doc=(
        "copy_from_user() or copy_to_user() of 1, 2, 4 or 8 bytes that are one scalar. The copy calls a routine "
        "made for large ones; get_user() and put_user() access a scalar inline or by a short call, and are atomic "
        "where the address is aligned."
    ),
    words=Words(
        "use {calls} for scalars",
        "copy_from_user() and copy_to_user() call a routine that is made for large copies. Use {calls} where a single "
        "scalar is copied.",
    ),
    calls={READ: "get_user()", WRITE: "put_user()"},
    reasons={
        "pointer-value": "A pointer is copied: the types of what it points to would have to agree.",
        "untyped": "The kernel's pointer is a void *: it does not say what is copied.",
    },
    shared_reasons=(
        "ifdef",
        "u64-arm32",
        "side-effect-argument",
        "type-unknown",
        "size-differs",
        "bool",
        "count-used",
        "result-unclear",
    ),
    example="scalar-read",
    options=(
        "`--tier prepared` adds the rewrites that need a preparation, which the finding names.",
        "`--profile FILE` tells which functions are hot; without it the lists of `hotcocci/tree/hot` do.",
    ),
    proof=(
        "The same bytes are moved, and the function returns the same. On a fault half-way the copy may have "
        "moved some of the bytes, where an access moves none; the finding says so."
    ),
)
