# SPDX-License-Identifier: GPL-2.0
"""Makes the benchmark scripts importable."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[2] / "benchmarks"))
