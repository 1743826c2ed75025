# SPDX-License-Identifier: GPL-2.0
"""A masked begin clamps a bad pointer, and the first access faults, inside its window or not."""

from __future__ import annotations

from pathlib import Path

import pytest
from planted import Planted, run

from hotcocci.findings import DIFFERENT, NOT_PROVEN, PROVEN
from hotcocci.proof.permitted import LATE, UNREFUSED

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
        ("", "", PROVEN, ""),
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


# A window that may be longer than the page behind user space, so that access_ok() adds, and its refusal
CHECKED = """
	u32 n = k->count;

	if (n > 0x10000)
		return -EINVAL;
	if (!user_write_access_begin(u, offsetof(struct uarg, words) + n))
		goto refused;
"""
MASK = """
	u32 n = k->count;

	if (n > 0x10000)
		return -EINVAL;
	u = masked_user_access_begin(u);
"""
STORES = """
	if (k->flag)
		unsafe_put_user(k->a, &u->a, efault);
	unsafe_copy_to_user(u->words, (void *)k->l0, n, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
"""
REFUSED = "refused:\n"
END = "\treturn -EFAULT;\n}\n"


@pytest.mark.parametrize(
    ("part", "instead", "refused", "proven"),
    [
        ("", "", "", True),
        # A value, the order, an access more, an access less
        ("(k->a,", "(k->a + 1,", "", False),
        ("(void *)k->l0", "(void *)k->l1", "", False),
        ("l0, n,", "l0, n + 1,", "", False),
        ("l0, n,", "l0, n & ~1,", "", False),
        ("\n\tif (k->flag)\n\t\tunsafe_put_user(k->a, &u->a, efault);", "", "", False),
        # The mask, the error of a fault
        ("\tu = masked_user_access_begin(u);", "\t__uaccess_begin();", "", False),
        ("return -EFAULT", "return -EINVAL", "", False),
        # What the old code does if it is refused, but not if an access faults
        ("", "", "\treturn -EINVAL;\n", False),
        ("", "", "\tk->total++;\n", False),
        ("", "", "\taudit(k);\n", False),
    ],
)
def test_only_the_refusal_may_move(
    linux_tree: Path,
    tmp_path: Path,
    part: str,
    instead: str,
    refused: str,
    proven: bool,
) -> None:
    """The last three must be refused though loops and stores are alike: the error differs."""
    before = HEAD + CHECKED + STORES
    if refused:
        before += "\treturn -EFAULT;\n"
    before += REFUSED + refused + END
    after = HEAD + MASK + STORES + END
    assert part in after
    after = after.replace(part, instead)
    several = run(linux_tree, tmp_path, Planted("case", before, after, PROVEN))
    found = next(each for each in several if each.unseen is None)
    assert (found.verdict == PROVEN) is proven, found
    if proven:
        assert set(found.permitted) == {LATE, UNREFUSED}


def test_a_window_without_an_access_is_no_longer_refused_but_must_stay(
    linux_tree: Path, tmp_path: Path
) -> None:
    empty = "\tuser_write_access_end();\n\treturn 0;\n}\n"
    before = HEAD + REFUSING + empty
    masked = "\n\tu = masked_user_access_begin(u);\n"
    for after, proven in ((masked, True), ("", False)):
        text = HEAD + after + (empty if after else "\treturn 0;\n}\n")
        case = Planted("case", before, text, PROVEN)
        (found,) = run(linux_tree, tmp_path / str(proven), case)
        assert (found.verdict == PROVEN) is proven, found
