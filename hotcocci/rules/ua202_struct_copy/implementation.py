# SPDX-License-Identifier: GPL-2.0
"""The implementation of UA202."""

from __future__ import annotations

from hotcocci.rewrite.copies.calls import COPIES
from hotcocci.rules.ua202_struct_copy.decide import decide
from hotcocci.rewrite.prefilter import may_hold_small_copy
from hotcocci.rules.implementation import Implementation
from hotcocci.tree.select import COPY

IMPLEMENTATION = Implementation(
    COPY, may_hold_small_copy, decide, COPIES, uses_hotness=True, hot_only=True
)
