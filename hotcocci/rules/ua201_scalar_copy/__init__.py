# SPDX-License-Identifier: GPL-2.0
"""UA201: copy of a scalar."""

from __future__ import annotations

from hotcocci.findings import MANUAL, PREPARED, READ, SAFE, WRITE
from hotcocci.rules.entry import OF_CALLS, WITH_PREPARED, WITH_PROFILE, Rule, Words
from hotcocci.tree.select import COPY

RULE = Rule(
    code="UA201",
    title="copy of a scalar",
    script="cocci/small_copy.cocci",
    mention=COPY,
    tiers=(SAFE, PREPARED, MANUAL),
    doc=(
        "copy_from_user() or copy_to_user() of a scalar of 1, 2, 4 or 8 bytes. The copy calls a routine made for "
        "large copies; get_user() and put_user() are inline or a short call, and atomic if the address is aligned."
    ),
    words=Words(
        "use {calls} for scalars",
        "copy_from_user() and copy_to_user() call a routine made for large copies. Use {calls} to copy a "
        "scalar.",
    ),
    alike=True,
    calls={READ: "get_user()", WRITE: "put_user()"},
    reasons={
        "pointer-value": "A pointer is copied: the kernel and the user type it points to would have to match.",
        "other-stays": (
            "Another copy in the function, such as one branch of several for other sizes, has to stay a copy."
        ),
        "untyped-sum": (
            "The user pointer is an untyped one with an offset: a cast of the sum would read worse than the copy."
        ),
        "untyped": "The kernel pointer is a void *: the type of what is copied is not known.",
    },
    shared_reasons=(*OF_CALLS, "u64-arm32", "bool"),
    example="scalar-read",
    options=(
        WITH_PREPARED,
        WITH_PROFILE,
    ),
    proof=(
        "The same bytes are copied, and the function returns the same value. If it faults half-way, the copy may "
        "have moved some of the bytes, the access moves none; the finding says so."
    ),
)
