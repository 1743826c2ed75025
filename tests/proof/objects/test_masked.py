# SPDX-License-Identifier: GPL-2.0
"""A masked begin clamps a bad pointer, and the first access faults, inside its window or not."""

from __future__ import annotations

import pytest
from planted import Planted
from together import together

from hotcocci.findings import DIFFERENT, NOT_PROVEN, PROVEN, Execution
from hotcocci.proof.symbolic.prover import LATE, UNREFUSED

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
# Marked as a scope of later trees is (hotcocci/proof/objects/marks.py)
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


CLAMPED = {
    "clamped": ("", "", PROVEN, ""),
    "clamped-too-short": ("words, 32", "words, 16", NOT_PROVEN, "outside its window"),
    "clamped-behind": (
        "(2, u->words",
        "(2, u->words + 5",
        NOT_PROVEN,
        "outside its window",
    ),
    "clamped-other-way": ("mark(2", "mark(1", NOT_PROVEN, "for the other direction"),
    "clamped-other-error": ("return -EFAULT", "return -EINVAL", NOT_PROVEN, "result"),
}


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


MOVED = {
    "refusal": ("", "", "", PROVEN),
    # A value, the order, an access more, an access less
    "value": ("(k->a,", "(k->a + 1,", "", DIFFERENT),
    "order": ("(void *)k->l0", "(void *)k->l1", "", DIFFERENT),
    "more": ("l0, n,", "l0, n + 1,", "", DIFFERENT),
    "less": ("l0, n,", "l0, n & ~1,", "", DIFFERENT),
    "none": (
        "\n\tif (k->flag)\n\t\tunsafe_put_user(k->a, &u->a, efault);",
        "",
        "",
        DIFFERENT,
    ),
    # The mask, the error of a fault
    "mask": (
        "\tu = masked_user_access_begin(u);",
        "\t__uaccess_begin();",
        "",
        DIFFERENT,
    ),
    "error": ("return -EFAULT", "return -EINVAL", "", DIFFERENT),
    # What the old code does if it is refused, but not if an access faults. This must be refused though
    # loops and stores are alike: the error differs.
    "refused-error": ("", "", "\treturn -EINVAL;\n", DIFFERENT),
    "refused-store": ("", "", "\tk->total++;\n", DIFFERENT),
    "refused-call": ("", "", "\taudit(k);\n", DIFFERENT),
}
# A window without an access is no longer refused, but must stay.
EMPTY = "\tuser_write_access_end();\n\treturn 0;\n}\n"
BEGUN = "\n\tu = masked_user_access_begin(u);\n" + EMPTY


def clamped(name: str, part: str, instead: str, verdict: str, says: str) -> Planted:
    after = HEAD + MASKED + ACCESS
    assert part in after
    return Planted(
        name, HEAD + REFUSING + ACCESS, after.replace(part, instead), verdict, says
    )


def moved(name: str, part: str, instead: str, refused: str, verdict: str) -> Planted:
    before = HEAD + CHECKED + STORES + ("\treturn -EFAULT;\n" if refused else "")
    after = HEAD + MASK + STORES + END
    assert part in after
    return Planted(
        name, before + REFUSED + refused + END, after.replace(part, instead), verdict
    )


CASES = [
    *(clamped(name, *fields) for name, fields in CLAMPED.items()),
    *(moved(name, *fields) for name, fields in MOVED.items()),
    Planted("empty", HEAD + REFUSING + EMPTY, HEAD + BEGUN, PROVEN),
    Planted(
        "empty-gone", HEAD + REFUSING + EMPTY, HEAD + "\treturn 0;\n}\n", DIFFERENT
    ),
]


@pytest.mark.parametrize("case", together(CASES))
def test_a_clamped_address_faults(case: Planted, found: tuple[Execution, ...]) -> None:
    """Only the refusal of a bad address may move."""
    first = next(each for each in found if each.unseen is None)
    assert (first.verdict == PROVEN) is (case.verdict == PROVEN), found
    if case.says:
        assert first.verdict == case.verdict and case.says in first.detail
    if case.name == "refusal":
        assert set(first.permitted) == {LATE, UNREFUSED}
