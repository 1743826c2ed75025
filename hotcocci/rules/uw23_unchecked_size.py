# SPDX-License-Identifier: GPL-2.0
"""UW23: a copy of run-time size without check_object_size()."""

from __future__ import annotations

from hotcocci.findings import SPATCH
from hotcocci.rules.entry import Rule, WINDOWS, WINDOW_SCRIPT

RULE = Rule(
    code="UW23",
    title="a copy of run-time size without check_object_size()",
    family=WINDOWS,
    engines=(SPATCH,),
    doc=(
        "copy_to_user() checks under HARDENED_USERCOPY that the kernel object is as large as what is copied; "
        "unsafe_copy_to_user() does not (5f1eb1ff58ea)."
    ),
    script=WINDOW_SCRIPT,
)
