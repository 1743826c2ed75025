# SPDX-License-Identifier: GPL-2.0
"""UW24: debugging hooks that a window skips."""

from __future__ import annotations

from hotcocci.findings import SPATCH
from hotcocci.rules.entry import Rule, WINDOWS, WINDOW_SCRIPT

RULE = Rule(
    code="UW24",
    title="debugging hooks that a window skips",
    family=WINDOWS,
    engines=(SPATCH,),
    doc=(
        "put_user() and copy_to_user() call might_fault(), should_fail_usercopy() and sanitizer hooks; on "
        "most architectures a window calls none of them. That is accepted, but belongs in the changelog."
    ),
    script=WINDOW_SCRIPT,
    on_request=True,
)
