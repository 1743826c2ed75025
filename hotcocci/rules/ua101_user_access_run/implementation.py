# SPDX-License-Identifier: GPL-2.0
"""The implementation of UA101."""

from __future__ import annotations

from hotcocci.c.unseen import ACCESSES
from hotcocci.rewrite.prefilter import may_hold_run
from hotcocci.rules.ua101_user_access_run.decide import decide
from hotcocci.rules.implementation import Implementation
from hotcocci.tree.select import ACCESS

IMPLEMENTATION = Implementation(ACCESS, may_hold_run, decide, ACCESSES)
