# SPDX-License-Identifier: GPL-2.0
"""UW02: window not ended exactly once."""

from __future__ import annotations

from hotcocci.findings import OBJECTS, OBJTOOL, SMATCH, SPATCH
from hotcocci.rules.entry import Rule, WINDOWS, WINDOW_SCRIPT

RULE = Rule(
    code="UW02",
    title="window not ended exactly once",
    family=WINDOWS,
    engines=(
        SPATCH,
        SMATCH,
        OBJTOOL,
        OBJECTS,
    ),
    doc=(
        "Every path out of a window (fall-through, fault label, return, goto, break, continue) must pass "
        "exactly one end. If it is missing, user memory stays open to the rest of the kernel; a second one "
        "closes a window that the caller may hold. Fixed in 0b2c8f8b6b0c and e6a9522ac3ff."
    ),
    script=WINDOW_SCRIPT,
)
