# SPDX-License-Identifier: GPL-2.0
"""The window checkers refuse changes that add violations; existing ones do not count."""

from pathlib import Path

import pytest

from hotcocci.findings import Change, Check
from hotcocci.pipeline.settings import Settings
from hotcocci.pipeline.window_reports import window_checks
from hotcocci.tree.kernel import find_tree

FIXTURES = Path(__file__).resolve().parents[2] / "kernel-fixtures"
FILE = "drivers/window.c"
PLAIN = "int f(struct point __user *to, int x)\n{\n\treturn put_user(x, &to->x);\n}\n"
WINDOW = """\
int f(struct point __user *to, int x)
{
	if (!user_write_access_begin(to, sizeof(*to)))
		return -EFAULT;
	unsafe_put_user(x, &to->x, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}
"""
WRONG = WINDOW.replace("\tuser_write_access_end();\n\treturn 0", "\treturn 0")


@pytest.fixture
def check(tmp_path):
    tree = find_tree(FIXTURES / "classic")
    settings = Settings(cache_dir=tmp_path / "cache")

    def run(old: str, new: str) -> dict[str, Check]:
        return window_checks(tree, [Change(FILE, old, new)], settings)

    return run


@pytest.mark.whole
def test_windows_of_a_change(check):
    assert check(PLAIN, WINDOW) == {FILE: Check("windows", "passed")}
    found = check(PLAIN, WRONG)[FILE]
    assert found.outcome == "failed"
    assert found.detail.startswith("UW02 in f(): ")
    # Existing violations are not new.
    assert check(WRONG, "\n\n" + WRONG)[FILE].outcome == "passed"
