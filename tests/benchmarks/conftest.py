# SPDX-License-Identifier: GPL-2.0
"""The benchmarks are scripts, which find each other beside themselves."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[2] / "benchmarks"))
