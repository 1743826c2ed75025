# SPDX-License-Identifier: GPL-2.0
"""What the comparison for all inputs proves, and what it must not prove."""

from __future__ import annotations

from pathlib import Path

import pytest
from planted import Planted, run

from hotcocci.findings import PROVEN, Execution
from hotcocci.proof.symbolic.search import CALLER

HEAD = """// SPDX-License-Identifier: GPL-2.0
#include <fixture/arguments.h>
#include <linux/kernel.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

extern int wait(struct karg *k);
extern u32 draw(u32 *number, u32 count);

"""
BODY = """int subject(struct karg *k, struct uarg __user *u)
{
%s
}
"""


def answer(
    linux_tree: Path, folder: Path, before: str, after: str, target: str = "x86-64"
) -> Execution:
    texts = [HEAD + BODY % text.strip("\n") for text in (before, after)]
    case = Planted("case", texts[0], texts[1], "")
    return next(
        each
        for each in run(linux_tree, folder, case, target)
        if each.function == "subject"
    )


def is_proven(found: Execution) -> bool:
    return found.verdict == PROVEN


PUTS = """
	if (put_user(k->a, &u->a) || put_user(k->b, &u->b))
		return -EFAULT;
	return 0;
"""
WINDOW = """
	if (!user_write_access_begin(u, sizeof(*u)))
		return -EFAULT;
	unsafe_put_user(k->a, &u->a, efault);
	unsafe_put_user(k->b, &u->b, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
"""


def test_a_loop_of_any_length(linux_tree: Path, tmp_path: Path) -> None:
    loop = "\n\twhile (wait(k))\n\t\tk->total++;\n"
    assert is_proven(answer(linux_tree, tmp_path, loop + PUTS, loop + WINDOW))


BYTES = """
	u8 __user *p = (u8 __user *)u;
	u32 n = k->a;
	u8 c;

	if (!n)
		return 0;
	for (u32 i = 0; i != n; i++) {
		if (get_user(c, p + i))
			return -EFAULT;
		if (c == 'V')
			k->total = 42;
	}
	return 0;
"""
BYTES_WINDOW = """
	u8 __user *p = (u8 __user *)u;
	u32 n = k->a;
	u8 c;

	if (!n)
		return 0;
	if (!user_read_access_begin(p, n))
		return -EFAULT;
	for (u32 i = 0; i != n; i++) {
		unsafe_get_user(c, p + i, efault);
		if (c == 'V')
			k->total = 42;
	}
	user_read_access_end();
	return 0;
efault:
	user_read_access_end();
	return -EFAULT;
"""


def test_a_window_around_a_loop_of_any_length(linux_tree: Path, tmp_path: Path) -> None:
    found = answer(linux_tree, tmp_path / "right", BYTES, BYTES_WINDOW)
    assert is_proven(found), found
    for number, (part, instead) in enumerate(
        [
            ("begin(p, n)", "begin(p, n - 1)"),
            ("p + i, efault", "p + i + 1, efault"),
            ("i != n", "i != n && i < 1000"),
            # An empty range may be refused.
            ("\tif (!n)\n\t\treturn 0;\n", ""),
        ]
    ):
        wrong = BYTES_WINDOW.replace(part, instead)
        assert not is_proven(
            answer(linux_tree, tmp_path / str(number), BYTES, wrong)
        ), part


def test_a_loop_without_visible_effects(linux_tree: Path, tmp_path: Path) -> None:
    walk = "\n\twhile (k->total & 1)\n\t\tk->total = READ_ONCE(k->b) + k->total / 2;\n"
    assert is_proven(answer(linux_tree, tmp_path / "right", walk + PUTS, walk + WINDOW))
    other = walk.replace("total / 2", "total / 4")
    assert not is_proven(
        answer(linux_tree, tmp_path / "wrong", walk + PUTS, other + WINDOW)
    )


@pytest.mark.parametrize(
    ("before", "after"),
    [
        # A limit only reached in the hundredth iteration
        (
            "\n\tfor (u32 i = 0; i < k->a && wait(k); i++)\n\t\tk->total++;\n" + PUTS,
            "\n\tfor (u32 i = 0; i < k->a && i < 99 && wait(k); i++)\n\t\tk->total++;\n"
            + WINDOW,
        ),
        # A single wrong value
        (PUTS, PUTS.replace("k->b,", "k->b + (k->a == 0x12345678),")),
        # The second of two numbers passed to a call
        (
            "\n\tu32 n[2] = { k->a, k->b };\n\n\treturn put_user(draw(n, 2), &u->a);",
            "\n\tu32 n[2] = { k->a, k->a };\n\n\treturn put_user(draw(n, 2), &u->a);",
        ),
        # A pointer that may be NULL, dereferenced before the check
        (
            "\n\tif (!k)\n\t\treturn -EINVAL;\n" + PUTS,
            "\n\tu32 a = READ_ONCE(k->total);\n\n\tif (!k)\n\t\treturn -EINVAL;\n"
            "\tk->total = a;\n" + PUTS,
        ),
        # A copy instead of an access of one width
        (
            "\n\treturn put_user(k->a, &u->a);",
            "\n\treturn copy_to_user(&u->a, &k->a, 4) ? -EFAULT : 0;",
        ),
        # Page faults enabled where they were disabled
        (
            "\n\tint ret;\n\n\tpagefault_disable();\n\tret = put_user(1, &u->a);\n"
            "\tpagefault_enable();\n\treturn ret;",
            "\n\tint ret;\n\n\tpagefault_disable();\n\tpagefault_enable();\n"
            "\tret = put_user(1, &u->a);\n\treturn ret;",
        ),
        # A store that must not be visible to other CPUs before another
        (
            "\n\tk->a = 1;\n\tsmp_store_release(&k->total, 1);\n" + PUTS,
            "\n\tsmp_store_release(&k->total, 1);\n\tbarrier();\n\tk->a = 1;\n" + PUTS,
        ),
        # The result of a fault no longer stored
        (
            "\n\tint bad = put_user(k->a, &u->a);\n\n\tbad |= put_user(bad, &u->b);\n"
            "\treturn bad ? -EFAULT : 0;",
            WINDOW.replace("k->b, ", "0, "),
        ),
    ],
    ids=[
        "late-limit",
        "one-value",
        "second-number",
        "null",
        "torn",
        "page-faults",
        "release",
        "told",
    ],
)
def test_wrong_rewrites_are_not_proven(
    linux_tree: Path, tmp_path: Path, before: str, after: str
) -> None:
    # Different lines with the same meaning.
    again = before.replace(";", " ;")
    itself, other = tmp_path / "itself", tmp_path / "other"
    assert is_proven(answer(linux_tree, itself, before, again))
    assert not is_proven(answer(linux_tree, other, before, after))


@pytest.mark.parametrize(
    "text",
    ["verw %0", "invlpg %0", "wbinvd", "mov %%rax, %%cr3", "swapgs", "wrmsr", "std"],
)
def test_an_instruction_without_model_is_not_dropped(
    linux_tree: Path, tmp_path: Path, text: str
) -> None:
    made = f'\n\tasm volatile("{text}" : : "m" (k->h0) : "memory");\n'
    kept = made.replace(";\n", " ;\n")
    assert is_proven(answer(linux_tree, tmp_path / "kept", made + PUTS, kept + PUTS))
    assert not is_proven(answer(linux_tree, tmp_path / "dropped", made + PUTS, PUTS))


def test_assumptions_are_listed(linux_tree: Path, tmp_path: Path) -> None:
    unchecked = PUTS.replace("put_user(", "__put_user(")
    found = answer(linux_tree, tmp_path, unchecked, unchecked.replace("||", "  ||"))
    assert CALLER in found.assumed
