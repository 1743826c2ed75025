# SPDX-License-Identifier: GPL-2.0
"""The results of a case, which is compiled with others."""

import sys
from pathlib import Path

import pytest

# The other modules of this directory: pytest's importlib mode does not find them.
sys.path.insert(0, str(Path(__file__).parent))

from planted import Planted
from together import FILES, results

from hotcocci.findings import Execution


@pytest.fixture
def found(case, linux_tree, tmp_path_factory, request) -> tuple[Execution, ...]:
    """The results of the case, compiled with those of its file that are selected."""
    specs = [getattr(item, "callspec", None) for item in request.session.items]
    # Cases of other tests may not be hashable.
    selected = [spec.params.get("case") for spec in specs if spec]
    names = {each.name for each in selected if isinstance(each, Planted)}
    cases = tuple(each for each in FILES[case] if each.name in names)
    folder = tmp_path_factory.getbasetemp() / "together" / cases[0].name
    return results(linux_tree, folder, cases)[case]
