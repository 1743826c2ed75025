# SPDX-License-Identifier: GPL-2.0
"""Run each case before and after, with a fault at each access in turn."""

from __future__ import annotations

import re
from pathlib import Path

from case_build import copied_differences, differences, run_text
from case_files import TREE_OF_API, Case

from hotcocci.rules.implementation import implementation_of
from hotcocci.tree.select import COPY


def test_same_behaviour(
    case: Case, api: str, harness: dict[str, list[Path]], tmp_path: Path
) -> None:
    tree = TREE_OF_API[api]
    before = run_text(tree, case.source, harness[tree], tmp_path, "before")
    header = case.headers.get(api)
    after = run_text(tree, case.afters[api], harness[tree], tmp_path, "after", header)
    assert any(call.without_fault for call in before)
    assert any(call.injected for call in before)
    if implementation_of(case.code).mention == COPY or _loses_copies(case, api):
        assert copied_differences(before, after, case.is_safe(api)) == []
    else:
        assert differences(before, after, case.is_safe(api)) == []


def _loses_copies(case: Case, api: str) -> bool:
    """Whether there are fewer copies after the rewrite: others became accesses."""
    before, after = (
        len(re.findall(r"\bcopy_(?:to|from)_user\(", text))
        for text in (case.source, case.afters[api])
    )
    return after < before
