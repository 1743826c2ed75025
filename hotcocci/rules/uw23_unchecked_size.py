# SPDX-License-Identifier: GPL-2.0
"""UW23: copy of run-time size without check_object_size()."""

from __future__ import annotations

from hotcocci.findings import SPATCH
from hotcocci.rules.entry import Rule, WINDOWS, WINDOW_SCRIPT

RULE = Rule(
    code="UW23",
    title="copy of run-time size without check_object_size()",
    family=WINDOWS,
    engines=(SPATCH,),
    doc=(
        "Under HARDENED_USERCOPY, copy_to_user() checks that the kernel object is as large as the copy; "
        "unsafe_copy_to_user() does not (5f1eb1ff58ea)."
    ),
    script=WINDOW_SCRIPT,
)
