# SPDX-License-Identifier: GPL-2.0
"""The window script run by spatch itself, in all four modes."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from smpl_runs import COCCI
from test_plain_spatch import take

TEXTS = Path(__file__).with_name("window_script")

pytestmark = pytest.mark.whole

SCRIPT = COCCI / "user_access_window.cocci"
FIXTURES = COCCI.parent / "kernel-fixtures"

BROKEN = (TEXTS / "broken.c").read_text(encoding="utf-8")
MENDED = (TEXTS / "mended.c").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("modes") / "tree"
    shutil.copytree(FIXTURES / "scoped", root)
    (root / "drivers/window.c").write_text(BROKEN)
    return root


def spatch(tree: Path, *arguments: str) -> str:
    ran = subprocess.run(
        ["spatch", "--very-quiet", "--sp-file", str(SCRIPT), "--no-includes"]
        + [*arguments, "drivers/window.c"],
        cwd=tree,
        env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


def test_report(tree: Path) -> None:
    told = spatch(tree, "-D", "report").splitlines()
    assert [line.split(": ")[0].split(":")[1] for line in told] == ["6", "9", "18"]
    assert all(": ERROR: " in line for line in told)
    assert [line.split(": ")[2].split()[0] for line in told] == ["UW03", "UW02", "UW16"]


def test_advice_is_not_reported(tree: Path) -> None:
    """A helper that a compiler may put out of line is for ``check --all``."""
    case = (FIXTURES / "UW07/uw07-statement.c").read_text()
    (tree / "drivers/window.c").write_text(case)
    try:
        assert spatch(tree, "-D", "report") == ""
    finally:
        (tree / "drivers/window.c").write_text(BROKEN)


def test_patch_fixes_mechanical_violations(tree: Path, tmp_path: Path) -> None:
    copy = tmp_path / "tree"
    shutil.copytree(tree, copy)
    take(copy, spatch(copy, "-D", "patch"))
    assert (copy / "drivers/window.c").read_text() == MENDED
    assert spatch(copy, "-D", "patch") == ""
    assert spatch(copy, "-D", "report") == ""


def test_files_without_a_window_are_not_parsed() -> None:
    ran = subprocess.run(
        ["spatch", "--parse-cocci", str(SCRIPT)],
        capture_output=True,
        text=True,
        check=True,
    )
    words = set(ran.stdout.split("Grep query\n")[1].split("\n")[0].split(" || "))
    assert {"user_access_begin", "unsafe_put_user", "scoped_user_rw_access"} <= words
