# SPDX-License-Identifier: GPL-2.0
"""``make coccicheck`` of an unmodified kernel tree runs the script for credentials, in all four modes."""

from __future__ import annotations

from pathlib import Path

import pytest
from smpl_runs import COCCI
from test_coccicheck import Place, check, patched

PREPARED = "-D tier=prepared"
RELOAD = Place(
    COCCI / "credential_reload.cocci", "fs/stat.c", "", "LD301", flags=PREPARED
)


@pytest.fixture
def place() -> Place:
    """One file for the script."""
    return RELOAD


def test_report(untouched: Path, place: Place) -> None:
    said = check(untouched, place, "report", place.file).splitlines()
    assert [s for s in said if s.startswith(f"{place.file}:") and place.says in s]


def test_org(untouched: Path, place: Place) -> None:
    said = check(untouched, place, "org", place.file).splitlines()
    todo = [s for s in said if s.startswith("* TODO") and place.says in s]
    assert todo and all(f"[[view:{place.file}::" in s for s in todo)


def test_context(untouched: Path, place: Place) -> None:
    """Lines of the file are marked, and none is added."""
    lines = check(untouched, place, "context", place.file).splitlines()
    marked = [s[1:] for s in lines if s[:1] == "-" and s[:3] != "---"]
    text = (untouched / place.file).read_text().splitlines()
    assert marked and set(marked) <= set(text)
    assert [s for s in lines if s[:1] == "+" and s[:3] != "+++"] == []


def test_patch(untouched: Path, place: Place, tmp_path: Path) -> None:
    """The diff applies, and has the rewrite that the script is for."""
    diff = check(untouched, place, "patch", place.file)
    assert f"--- a/{place.file}\n+++ b/{place.file}\n" in diff
    made = patched(untouched, place.file, diff, tmp_path)
    added = [s[1:] for s in diff.splitlines() if s[:1] == "+" and s[:3] != "+++"]
    assert added and all(line in made.splitlines() for line in added)
    assert any("= current_user_ns();" in line for line in added)
