# SPDX-License-Identifier: GPL-2.0
"""Makes the modules of this directory importable; pytest's importlib mode does not."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
