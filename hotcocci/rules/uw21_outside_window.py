# SPDX-License-Identifier: GPL-2.0
"""UW21: an access outside any window."""

from __future__ import annotations

from hotcocci.findings import SMATCH, SPATCH
from hotcocci.rules.entry import Rule, WINDOWS, WINDOW_SCRIPT

RULE = Rule(
    code="UW21",
    title="an access outside any window",
    family=WINDOWS,
    engines=(
        SPATCH,
        SMATCH,
    ),
    doc=(
        "unsafe_get_user() and its kin check nothing and open nothing. Without a window around them they "
        "fault under SMAP and PAN, and where there is neither they read wherever they are told."
    ),
    script=WINDOW_SCRIPT,
)
