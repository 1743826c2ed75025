# SPDX-License-Identifier: GPL-2.0
"""The implementation of UA201."""

from __future__ import annotations

from hotcocci.rewrite.copies.calls import COPIES
from hotcocci.rules.ua201_scalar_copy.decide import decide
from hotcocci.rewrite.prefilter import may_hold_scalar_copy
from hotcocci.rules.implementation import Implementation
from hotcocci.tree.select import COPY

IMPLEMENTATION = Implementation(
    COPY, may_hold_scalar_copy, decide, COPIES, uses_hotness=True
)
