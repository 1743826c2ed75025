# SPDX-License-Identifier: GPL-2.0
"""How LD304 is carried out."""

from __future__ import annotations

from hotcocci.rewrite.loads.narrow import decide_narrow
from hotcocci.rules.working import hot_load

WORKING = hot_load(decide_narrow)
