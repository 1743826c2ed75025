# SPDX-License-Identifier: GPL-2.0
"""A prepared build of the real tree, kept between test runs."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from hotcocci.tree.build import Build, prepare
from hotcocci.tree.targets import TARGETS


@pytest.fixture(scope="session")
def prepared_build(linux_tree: Path) -> Build:
    """Concurrent workers share one preparation, which takes about 12 s."""
    home = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return prepare(linux_tree, TARGETS["x86-64"], Path(home) / "hotcocci-tests")
