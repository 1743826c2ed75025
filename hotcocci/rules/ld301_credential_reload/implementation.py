# SPDX-License-Identifier: GPL-2.0
"""The implementation of LD301."""

from __future__ import annotations

from hotcocci.rewrite.loads.credential_loads import CALLS
from hotcocci.rules.ld301_credential_reload.decide import decide, may_hold_reload
from hotcocci.rules.implementation import Implementation
from hotcocci.tree.select import CREDENTIAL

IMPLEMENTATION = Implementation(CREDENTIAL, may_hold_reload, decide, CALLS)
