# SPDX-License-Identifier: GPL-2.0
"""A prepared build of the real tree, kept between test runs."""

import pytest

from hotcocci.tree.build import Build
from tests.shared import build_of


@pytest.fixture(scope="session")
def prepared_build(linux_tree) -> Build:
    return build_of(linux_tree)
