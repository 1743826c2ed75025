# SPDX-License-Identifier: GPL-2.0
"""What the comparison for all inputs proves, and what it must not prove."""

from __future__ import annotations

import re

import pytest
from planted import Planted
from together import together

from hotcocci.findings import DIFFERENT, PROVEN, Execution
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


def case_of(name: str, before: str, after: str, verdict: str) -> Planted:
    texts = [HEAD + BODY % text.strip("\n") for text in (before, after)]
    return Planted(name, texts[0], texts[1], verdict)


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
LOOP = "\n\twhile (wait(k))\n\t\tk->total++;\n"
WALK = "\n\twhile (k->total & 1)\n\t\tk->total = READ_ONCE(k->b) + k->total / 2;\n"
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
RIGHT = {
    "any-length": (LOOP + PUTS, LOOP + WINDOW),
    "window-around-a-loop": (BYTES, BYTES_WINDOW),
    "no-visible-effects": (WALK + PUTS, WALK + WINDOW),
}
WRONG = {
    "begin-too-short": (BYTES, BYTES_WINDOW.replace("begin(p, n)", "begin(p, n - 1)")),
    "one-too-far": (BYTES, BYTES_WINDOW.replace("p + i, efault", "p + i + 1, efault")),
    "limit": (BYTES, BYTES_WINDOW.replace("i != n", "i != n && i < 1000")),
    # An empty range may be refused.
    "empty": (BYTES, BYTES_WINDOW.replace("\tif (!n)\n\t\treturn 0;\n", "")),
    "other-walk": (WALK + PUTS, WALK.replace("total / 2", "total / 4") + WINDOW),
    # A limit only reached in the hundredth iteration
    "late-limit": (
        "\n\tfor (u32 i = 0; i < k->a && wait(k); i++)\n\t\tk->total++;\n" + PUTS,
        "\n\tfor (u32 i = 0; i < k->a && i < 99 && wait(k); i++)\n\t\tk->total++;\n"
        + WINDOW,
    ),
    # A single wrong value
    "one-value": (
        PUTS,
        PUTS.replace("k->b,", "k->b + (k->a == 0x12345678),"),
    ),
    # The second of two numbers passed to a call
    "second-number": (
        "\n\tu32 n[2] = { k->a, k->b };\n\n\treturn put_user(draw(n, 2), &u->a);",
        "\n\tu32 n[2] = { k->a, k->a };\n\n\treturn put_user(draw(n, 2), &u->a);",
    ),
    # A pointer that may be NULL, dereferenced before the check
    "null": (
        "\n\tif (!k)\n\t\treturn -EINVAL;\n" + PUTS,
        "\n\tu32 a = READ_ONCE(k->total);\n\n\tif (!k)\n\t\treturn -EINVAL;\n"
        "\tk->total = a;\n" + PUTS,
    ),
    # A copy instead of an access of one width
    "torn": (
        "\n\treturn put_user(k->a, &u->a);",
        "\n\treturn copy_to_user(&u->a, &k->a, 4) ? -EFAULT : 0;",
    ),
    # Page faults enabled where they were disabled
    "page-faults": (
        "\n\tint ret;\n\n\tpagefault_disable();\n\tret = put_user(1, &u->a);\n"
        "\tpagefault_enable();\n\treturn ret;",
        "\n\tint ret;\n\n\tpagefault_disable();\n\tpagefault_enable();\n"
        "\tret = put_user(1, &u->a);\n\treturn ret;",
    ),
    # A store that must not be visible to other CPUs before another
    "release": (
        "\n\tk->a = 1;\n\tsmp_store_release(&k->total, 1);\n" + PUTS,
        "\n\tsmp_store_release(&k->total, 1);\n\tbarrier();\n\tk->a = 1;\n" + PUTS,
    ),
    # The result of a fault no longer stored
    "told": (
        "\n\tint bad = put_user(k->a, &u->a);\n\n\tbad |= put_user(bad, &u->b);\n"
        "\treturn bad ? -EFAULT : 0;",
        WINDOW.replace("k->b, ", "0, "),
    ),
}
# Instructions without a model: they must stay.
for instruction in ("verw %0", "mov %%rax, %%cr3", "std"):
    text = f'\n\tasm volatile("{instruction}" : : "m" (k->h0) : "memory");\n' + PUTS
    WRONG[re.sub(r"\W+", "-", instruction)] = (text, PUTS)
CASES = [
    *(case_of(name, *texts, PROVEN) for name, texts in RIGHT.items()),
    *(case_of(name, *texts, DIFFERENT) for name, texts in WRONG.items()),
    # Different lines with the same meaning
    *(
        case_of(
            f"{name}-itself", WRONG[name][0], WRONG[name][0].replace(";", " ;"), PROVEN
        )
        for name in ("late-limit", "second-number", "page-faults", "told", "std")
    ),
]
UNCHECKED = PUTS.replace("put_user(", "__put_user(")
# The second value is loaded before the first store.
EARLIER = "\n\tu32 b = k->b;\n" + UNCHECKED.replace("(k->b,", "(b,")
ASSUMING = case_of("unchecked", UNCHECKED, EARLIER, PROVEN)


@pytest.mark.parametrize("case", together(CASES))
def test_what_is_proven(case: Planted, found: tuple[Execution, ...]) -> None:
    first = next(each for each in found if each.function == "subject")
    assert (first.verdict == PROVEN) is (case.verdict == PROVEN), found


@pytest.mark.parametrize("case", together([ASSUMING]))
def test_assumptions_are_listed(case: Planted, found: tuple[Execution, ...]) -> None:
    assert CALLER in found[0].assumed
