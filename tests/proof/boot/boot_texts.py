# SPDX-License-Identifier: GPL-2.0
"""A file of good and broken rewrites: each function before and after, with its own name."""

from __future__ import annotations

from dataclasses import dataclass

# Built in every configuration with COMPAT, and includes linux/uaccess.h.
FILE = "kernel/compat.c"

HEAD = """\
// SPDX-License-Identifier: GPL-2.0
#include <linux/compat.h>
#include <linux/errno.h>
#include <linux/uaccess.h>

struct trio {
	u32 a;
	u32 b;
	u64 c;
};

"""

WRITE = (
    "static int {name}(struct trio __user *to, const struct trio *from)",
    """\
	if (put_user(from->a, &to->a) ||
	    put_user(from->b, &to->b) ||
	    put_user(from->c, &to->c))
		return -EFAULT;
	return 0;
""",
    """\
	if (!user_write_access_begin(to, sizeof(*to)))
		return -EFAULT;
	unsafe_put_user(from->a, &to->a, efault);
	unsafe_put_user(from->b, &to->b, efault);
	unsafe_put_user(from->c, &to->c, efault);
	user_write_access_end();
	return 0;

efault:
	user_write_access_end();
	return -EFAULT;
""",
)
COLLECT = (
    WRITE[0],
    """\
	int err = 0;

	err |= put_user(from->a, &to->a);
	err |= put_user(from->b, &to->b);
	err |= put_user(from->c, &to->c);
	return err ? -EFAULT : 0;
""",
    WRITE[2],
)
READ = (
    "static int {name}(struct trio *to, const struct trio __user *from)",
    """\
	if (get_user(to->a, &from->a) ||
	    get_user(to->b, &from->b) ||
	    get_user(to->c, &from->c))
		return -EFAULT;
	return 0;
""",
    """\
	if (!user_read_access_begin(from, sizeof(*from)))
		return -EFAULT;
	unsafe_get_user(to->a, &from->a, efault);
	unsafe_get_user(to->b, &from->b, efault);
	unsafe_get_user(to->c, &from->c, efault);
	user_read_access_end();
	return 0;

efault:
	user_read_access_end();
	return -EFAULT;
""",
)
# A kind whose buffer is an argument and whose branch depends on a number.
SWITCH = (
    "static long {name}(unsigned int cmd, unsigned long arg)",
    """\
	u32 __user *to = (struct trio __user *)arg ? &((struct trio __user *)arg)->a : NULL;

	switch (cmd) {
	case FIRST_OF_ALL:
		if (put_user(1, to) || put_user(2, to + 1))
			return -EFAULT;
		return 0;
	}
	return -ENOTTY;
""",
    """\
	u32 __user *to = (struct trio __user *)arg ? &((struct trio __user *)arg)->a : NULL;

	switch (cmd) {
	case FIRST_OF_ALL:
		if (!user_write_access_begin(to, 2 * sizeof(*to)))
			return -EFAULT;
		unsafe_put_user(1, to, efault);
		unsafe_put_user(2, to + 1, efault);
		user_write_access_end();
		return 0;
	}
	return -ENOTTY;

efault:
	user_write_access_end();
	return -EFAULT;
""",
)
KINDS = {"write": WRITE, "collect": COLLECT, "read": READ, "switch": SWITCH}
ENUM = "enum { FIRST_OF_ALL = 0x40087461 };\n\n"


@dataclass(frozen=True)
class Variant:
    """A function of a kind with each ``replaced`` in its new text changed to ``by``."""

    name: str
    kind: str
    replaced: str = ""
    by: str = ""
    times: int = -1

    def text(self, new: bool) -> str:
        """The text of the function."""
        header, old_body, new_body = KINDS[self.kind]
        body = old_body
        if new:
            body = new_body.replace(self.replaced, self.by, self.times)
            assert body != new_body or not self.replaced, self.name
        return header.format(name=self.name) + "\n{\n" + body + "}\n\n"


def texts(variants: tuple[Variant, ...], head: str = HEAD) -> tuple[str, str]:
    """The file before and after."""
    old, new = (
        head + ENUM + "".join(v.text(new) for v in variants) for new in (False, True)
    )
    return old, new


GOOD = (
    Variant("good_write", "write"),
    Variant("good_collect", "collect"),
    Variant("good_read", "read"),
    Variant("good_switch", "switch"),
)
END = "\tuser_write_access_end();\n"
BROKEN = (
    Variant("no_end", "write", END, "", 1),
    Variant("no_end_on_a_fault", "write", f"efault:\n{END}", "efault:\n"),
    Variant("no_end_of_reading", "read", "\tuser_read_access_end();\n", "", 1),
    Variant("no_end_in_a_case", "switch", f"\t{END}", ""),
    Variant("no_begin", "write", "!user_write_access_begin(to, sizeof(*to))", "!to"),
    Variant("stores_swapped", "write", "from->a, &to->a", "from->b, &to->b", 1),
    Variant(
        "order_swapped",
        "write",
        "\tunsafe_put_user(from->a, &to->a, efault);\n"
        "\tunsafe_put_user(from->b, &to->b, efault);\n",
        "\tunsafe_put_user(from->b, &to->b, efault);\n"
        "\tunsafe_put_user(from->a, &to->a, efault);\n",
    ),
    Variant(
        "store_missing", "write", "\tunsafe_put_user(from->b, &to->b, efault);\n", ""
    ),
    Variant(
        "store_missing_where_collected",
        "collect",
        "\tunsafe_put_user(from->c, &to->c, efault);\n",
        "",
    ),
    Variant("store_narrowed", "write", "from->c,", "(u32)from->c,"),
    Variant("value_swapped", "read", "to->a, &from->a", "to->a, &from->b"),
    Variant("fault_returns_zero", "write", "-EFAULT;\n", "0;\n"),
    Variant(
        "fault_is_success",
        "read",
        "efault:\n\tuser_read_access_end();\n\treturn -EFAULT;",
        "efault:\n\tuser_read_access_end();\n\treturn 0;",
    ),
    Variant("other_pointer", "write", "_begin(to,", "_begin((void __user *)8,"),
)
