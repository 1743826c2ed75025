# SPDX-License-Identifier: GPL-2.0
"""UW24: debug hooks that a window does not have."""

from __future__ import annotations

from hotcocci.findings import SPATCH
from hotcocci.rules.entry import Rule, WINDOWS, WINDOW_SCRIPT

RULE = Rule(
    code="UW24",
    title="debug hooks that a window does not have",
    family=WINDOWS,
    engines=(SPATCH,),
    doc=(
        "put_user() and copy_to_user() call might_fault(), should_fail_usercopy() and the sanitizers' checks; "
        "a window calls none of them on most architectures. That is accepted, and belongs in the changelog."
    ),
    script=WINDOW_SCRIPT,
    on_request=True,
)
