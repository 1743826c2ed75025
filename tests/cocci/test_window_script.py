# SPDX-License-Identifier: GPL-2.0
"""The window script run by spatch itself, in all four modes."""

import os
import shutil
from pathlib import Path

import pytest
from smpl_runs import COCCI
from test_plain_spatch import take

from tests.shared import launch

TEXTS = Path(__file__).with_name("window_script")

pytestmark = pytest.mark.whole

SCRIPT = COCCI / "user_access_window.cocci"
FIXTURES = COCCI.parent / "kernel-fixtures"

BROKEN = (TEXTS / "broken.c").read_text(encoding="utf-8")
MENDED = (TEXTS / "mended.c").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def tree(tmp_path_factory) -> Path:
    root = tmp_path_factory.mktemp("modes") / "tree"
    shutil.copytree(FIXTURES / "scoped", root)
    (root / "drivers/window.c").write_text(BROKEN)
    return root


def spatch(tree: Path, mode: str) -> str:
    argv = ["spatch", "--very-quiet", "--sp-file", SCRIPT, "--no-includes"]
    where = {"cwd": tree, "env": {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}}
    ran = launch([*argv, "-D", mode, "drivers/window.c"], **where)
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


def test_report(tree):
    told = spatch(tree, "report").splitlines()
    assert [line.split(": ")[0].split(":")[1] for line in told] == ["6", "9", "18"]
    assert all(": ERROR: " in line for line in told)
    assert [line.split(": ")[2].split()[0] for line in told] == ["UW03", "UW02", "UW16"]


def test_advice_is_not_reported(tree, tmp_path):
    """A helper that a compiler may put out of line is for ``check --all``."""
    copy = shutil.copytree(tree, tmp_path / "tree")
    case = (FIXTURES / "UW07/uw07-statement.c").read_text()
    (copy / "drivers/window.c").write_text(case)
    assert spatch(copy, "report") == ""


def test_patch_fixes_mechanical_violations(tree, tmp_path):
    copy = shutil.copytree(tree, tmp_path / "tree")
    take(copy, spatch(copy, "patch"))
    assert (copy / "drivers/window.c").read_text() == MENDED
    assert spatch(copy, "patch") == spatch(copy, "report") == ""


def test_files_without_a_window_are_not_parsed():
    said = launch(["spatch", "--parse-cocci", SCRIPT]).stdout
    words = set(said.split("Grep query\n")[1].split("\n")[0].split(" || "))
    assert {"user_access_begin", "unsafe_put_user", "scoped_user_rw_access"} <= words
