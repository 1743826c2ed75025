# SPDX-License-Identifier: GPL-2.0
"""Lets the tests of this folder import what they share."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
