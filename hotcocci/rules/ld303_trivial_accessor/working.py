# SPDX-License-Identifier: GPL-2.0
"""How LD303 is carried out."""

from __future__ import annotations

from hotcocci.rewrite.loads.accessor import decide_accessors
from hotcocci.rules.working import hot_load

WORKING = hot_load(decide_accessors, accessors=True)
