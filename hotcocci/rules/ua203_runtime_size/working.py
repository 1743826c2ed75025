# SPDX-License-Identifier: GPL-2.0
"""How UA203 is carried out."""

from __future__ import annotations

from hotcocci.rewrite.copies.calls import COPIES
from hotcocci.rewrite.copies.dispatch import may_hold_dispatch
from hotcocci.rewrite.copies.dispatch_callers import folder_state
from hotcocci.rewrite.copies.switch import decide_dispatch
from hotcocci.rules.working import Working
from hotcocci.tree.select import COPY

WORKING = Working(
    COPY, may_hold_dispatch, decide_dispatch, COPIES, heat=True, beside=folder_state
)
