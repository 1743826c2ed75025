# SPDX-License-Identifier: GPL-2.0
"""How LD302 is carried out."""

from __future__ import annotations

from hotcocci.rewrite.loads.chain import decide_chains
from hotcocci.rules.working import hot_load

WORKING = hot_load(decide_chains, accessors=True)
