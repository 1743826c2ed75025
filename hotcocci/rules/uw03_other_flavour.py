# SPDX-License-Identifier: GPL-2.0
"""UW03: begin and end of different flavours."""

from __future__ import annotations

from hotcocci.findings import SMATCH, SPATCH
from hotcocci.rules.entry import Rule, WINDOWS, WINDOW_SCRIPT

RULE = Rule(
    code="UW03",
    title="begin and end of different flavours",
    family=WINDOWS,
    engines=(
        SPATCH,
        SMATCH,
    ),
    doc=(
        "user_read_access_begin() pairs with user_read_access_end(), user_write_access_begin() with "
        "user_write_access_end(). x86 ignores the flavour; on powerpc, the end then locks another direction "
        "than the one that was unlocked."
    ),
    script=WINDOW_SCRIPT,
)
