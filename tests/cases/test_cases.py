# SPDX-License-Identifier: GPL-2.0
"""The tool reports the marked findings of each case, and rewrites it as expected."""

from __future__ import annotations

import difflib
import shutil
from collections.abc import Callable
from typing import Any

import pytest
from case_files import FIXTURES, TREE_OF_API, Case, Want, without_header
from case_tool import Outcome

pytestmark = pytest.mark.skipif(not shutil.which("spatch"), reason="no spatch")

HEADER = "include/linux/uaccess.h"

Tool = Callable[[str, Case], Outcome]


def agrees(want: Want, finding: dict[str, Any]) -> bool:
    """Whether a finding matches an expected one, in every field the case names."""
    detail = "tier" if want.verdict == "rewrite" else "reason"
    fields = {
        "rule": want.rule,
        "line": want.line,
        "verdict": want.verdict,
        detail: want.detail,
        "accesses": want.accesses,
        "base": want.base,
        "direction": want.direction,
    }
    return all(
        finding[name] == value for name, value in fields.items() if value is not None
    )


def of_case(case: Case, findings: tuple[dict[str, Any], ...]) -> list[dict[str, Any]]:
    """The findings of one case, sorted by line."""
    return sorted(
        (f for f in findings if f["file"] == case.path), key=lambda f: f["line"]
    )


def test_findings(case: Case, any_api: str, tool: Tool) -> None:
    found = of_case(case, tool(any_api, case).findings)
    wants = case.wants_for(any_api)
    assert len(found) == len(wants), f"wanted {wants}, found {found}"
    for want, finding in zip(wants, found):
        assert agrees(want, finding), f"wanted {want}, found {finding}"


def test_after(case: Case, any_api: str, tool: Tool) -> None:
    """The text is the expected one, of which test_behaviour.py says that it does the same."""
    text = tool(any_api, case).texts[case.name]
    wanted = case.afters.get(any_api) or without_header(case.source)
    lines = difflib.unified_diff(
        wanted.splitlines(),
        without_header(text).splitlines(),
        "wanted",
        "made",
        lineterm="",
    )
    assert without_header(text) == wanted, "\n".join(lines)


def test_header_after(case: Case, any_api: str, tool: Tool) -> None:
    """Wherever a case needs one, include/linux/uaccess.h gets it once for all of them."""
    own = (FIXTURES / TREE_OF_API[any_api] / HEADER).read_text(encoding="utf-8")
    assert tool(any_api, case).header == case.headers.get(any_api, own)


def test_own_output_is_clean(case: Case, any_api: str, tool: Tool) -> None:
    """What is only narrowed may still become a scope, if a person so decides."""
    outcome = tool(any_api, case)
    tiers = [f["tier"] for f in of_case(case, outcome.left) if f["tier"] != "manual"]
    assert tiers == [None] * len(tiers)
    assert outcome.texts_again[case.name] == outcome.texts[case.name]


def test_no_case_is_skipped(case: Case, any_api: str, tool: Tool) -> None:
    skipped = tool(any_api, case).skipped
    assert [skip for skip in skipped if skip["file"] == case.path] == []
