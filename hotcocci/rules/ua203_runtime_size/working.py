# SPDX-License-Identifier: GPL-2.0
"""The implementation of UA203."""

from __future__ import annotations

from hotcocci.rewrite.copies.calls import COPIES
from hotcocci.rewrite.copies.dispatch import may_hold_dispatch
from hotcocci.rules.ua203_runtime_size.callers import folder_state
from hotcocci.rules.ua203_runtime_size.decide import decide
from hotcocci.rules.working import Working
from hotcocci.tree.select import COPY

WORKING = Working(
    COPY, may_hold_dispatch, decide, COPIES, heat=True, beside=folder_state
)
