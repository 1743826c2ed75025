# SPDX-License-Identifier: GPL-2.0
"""The implementation of UA203."""

from __future__ import annotations

from hotcocci.rewrite.copies.calls import COPIES
from hotcocci.rewrite.copies.dispatch import may_hold_dispatch
from hotcocci.rules.ua203_runtime_size.callers import folder_state
from hotcocci.rules.ua203_runtime_size.decide import decide
from hotcocci.rules.implementation import Implementation
from hotcocci.tree.select import COPY

IMPLEMENTATION = Implementation(
    COPY, may_hold_dispatch, decide, COPIES, uses_hotness=True, extra_key=folder_state
)
