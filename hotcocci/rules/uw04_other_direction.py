# SPDX-License-Identifier: GPL-2.0
"""UW04: access in the wrong direction for its window."""

from __future__ import annotations

from hotcocci.findings import SMATCH, SPATCH
from hotcocci.rules.entry import Rule, WINDOWS, WINDOW_SCRIPT

RULE = Rule(
    code="UW04",
    title="access in the wrong direction for its window",
    family=WINDOWS,
    engines=(
        SPATCH,
        SMATCH,
    ),
    doc=(
        "unsafe_get_user() in a window opened for writing, or unsafe_put_user() in one opened for reading. "
        "Most architectures open both directions; powerpc book3s64 faults on either, book3s32 on the store "
        "(9dc086f1e9ef)."
    ),
    script=WINDOW_SCRIPT,
)
