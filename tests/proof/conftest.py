# SPDX-License-Identifier: GPL-2.0
"""A prepared build of the real tree, kept between test runs."""

from __future__ import annotations

from pathlib import Path

import pytest

from hotcocci.tree.build import Build
from tests.shared import build_of


@pytest.fixture(scope="session")
def prepared_build(linux_tree: Path) -> Build:
    return build_of(linux_tree)
