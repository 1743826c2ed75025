# SPDX-License-Identifier: GPL-2.0
"""A masked begin clamps a bad pointer, and the first access faults, inside its window or not."""

from __future__ import annotations

from pathlib import Path

import pytest
from planted import Planted, run

from hotcocci.findings import DIFFERENT, NOT_PROVEN

HEAD = """// SPDX-License-Identifier: GPL-2.0
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
"""
REFUSING = """
	if (!user_write_access_begin(u->words, 32))
		return -EFAULT;
"""
# Marked as a scope of later trees is (hotcocci/proof/execution/marks.py)
MASKED = """
	u = masked_user_access_begin(u);
	hotcocci_mark(2, u->words, 32);
"""
# Only callers know that this stays inside, as in do_sys_poll() (fs/select.c).
ACCESS = """
	if (k->index)
		unsafe_put_user(k->b, &u->words[8], efault);
	unsafe_put_user(k->a, &u->words[4], efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}
"""


@pytest.mark.parametrize(
    ("part", "instead", "verdict", "says"),
    [
        ("", "", NOT_PROVEN, ""),
        ("words, 32", "words, 16", NOT_PROVEN, "outside its window"),
        ("(2, u->words", "(2, u->words + 5", NOT_PROVEN, "outside its window"),
        ("mark(2", "mark(1", DIFFERENT, "for the other direction"),
        ("return -EFAULT", "return -EINVAL", DIFFERENT, "returned"),
    ],
)
def test_a_clamped_address_faults(
    linux_tree: Path, tmp_path: Path, part: str, instead: str, verdict: str, says: str
) -> None:
    before, after = HEAD + REFUSING + ACCESS, HEAD + MASKED + ACCESS
    case = Planted("case", before, after.replace(part, instead), verdict)
    (found,) = run(linux_tree, tmp_path, case)
    assert found.verdict == verdict, found
    assert says in found.detail
