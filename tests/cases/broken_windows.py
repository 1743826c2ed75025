# SPDX-License-Identifier: GPL-2.0
"""Broken forms of a window, with what the simulated user memory says of each."""

from __future__ import annotations

from dataclasses import dataclass

HEAD = """\
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
"""

BEFORE = """\
	if (put_user(k->a, &u->a) || put_user(k->b, &u->b))
		return -EFAULT;
	return 0;
}
"""

TAIL = """
efault:
	user_write_access_end();
	return -EFAULT;
}
"""

BEGIN = """\
	if (!user_write_access_begin(u, sizeof(*u)))
		return -EFAULT;
"""

STORES = """\
	unsafe_put_user(k->a, &u->a, efault);
	unsafe_put_user(k->b, &u->b, efault);
"""

END = """\
	user_write_access_end();
"""

RETURN = """\
	return 0;
"""

SCOPED = """\
	scoped_user_write_access(u, efault) {
		unsafe_put_user(k->a, &u->a, efault);
		unsafe_put_user(k->b, &u->b, efault);
	}
	return 0;

efault:
	return -EFAULT;
}
"""


@dataclass(frozen=True)
class Broken:
    """A broken form of BEFORE and the expected message of the simulation."""

    name: str
    tree: str
    text: str
    message: str


def broken(name: str, message: str, *parts: str, tree: str = "classic") -> Broken:
    """A broken form, assembled from the parts of the correct one."""
    return Broken(name, tree, HEAD + "".join(parts), message)


VIOLATIONS = [
    broken("missing end", "open at return", BEGIN, STORES, RETURN, TAIL),
    broken(
        "missing end after a fault",
        "open at return",
        BEGIN,
        STORES,
        END,
        RETURN,
        TAIL.replace("\tuser_write_access_end();\n", ""),
    ),
    broken("double end", "ended with none open", BEGIN, STORES, END, END, RETURN, TAIL),
    broken(
        "end after a begin that failed",
        "ended with none open",
        BEGIN.replace("return -EFAULT", "goto efault"),
        STORES,
        END,
        RETURN,
        TAIL,
    ),
    broken(
        "access before the window",
        "outside a window",
        "\tunsafe_put_user(k->c, &u->c, efault);\n",
        BEGIN,
        STORES,
        END,
        RETURN,
        TAIL,
    ),
    broken(
        "access after the window",
        "outside a window",
        BEGIN,
        STORES,
        END,
        "\tunsafe_put_user(k->c, &u->c, efault);\n",
        RETURN,
        TAIL,
    ),
    broken("no window", "outside a window", STORES, RETURN, TAIL),
    broken(
        "access beyond the range",
        "outside the window",
        BEGIN.replace("sizeof(*u)", "sizeof(u->a)"),
        STORES,
        END,
        RETURN,
        TAIL,
    ),
    broken(
        "access before the range",
        "outside the window",
        BEGIN.replace("(u, sizeof(*u))", "(&u->b, sizeof(*u))"),
        STORES,
        END,
        RETURN,
        TAIL,
    ),
    broken(
        "access to another object",
        "outside the window",
        BEGIN,
        "\tunsafe_put_user(k->a, &k->user->a, efault);\n",
        END,
        RETURN,
        TAIL,
    ),
    broken(
        "store in a read window",
        "store of .* that cannot",
        BEGIN.replace("write", "read"),
        STORES,
        END.replace("write", "read"),
        RETURN,
        TAIL.replace("write", "read"),
    ),
    broken(
        "load in a write window",
        "load of .* that cannot",
        BEGIN,
        "\tunsafe_get_user(k->a, &u->a, efault);\n",
        END,
        RETURN,
        TAIL,
    ),
    broken(
        "end of the other direction",
        "of one direction ended as another",
        BEGIN,
        STORES,
        END.replace("write", "read"),
        RETURN,
        TAIL,
    ),
    broken(
        "end of both directions",
        "of one direction ended as another",
        BEGIN,
        STORES,
        END.replace("write_", ""),
        RETURN,
        TAIL,
    ),
    broken(
        "nested begin",
        "begun with a window open",
        BEGIN,
        BEGIN,
        STORES,
        END,
        END,
        RETURN,
        TAIL,
    ),
    broken(
        "get_user() in a window",
        "whole access .* window open",
        BEGIN,
        "\tif (get_user(k->c, &u->c))\n\t\tgoto efault;\n",
        STORES,
        END,
        RETURN,
        TAIL,
    ),
    broken(
        "copy_to_user() in a window",
        "whole access .* window open",
        BEGIN,
        "\tif (copy_to_user(&u->pos, &k->pos, sizeof(k->pos)))\n\t\tgoto efault;\n",
        STORES,
        END,
        RETURN,
        TAIL,
    ),
    broken(
        "range check in a window",
        "range check with a window open",
        BEGIN,
        "\tif (!access_ok(k->user, 4))\n\t\tgoto efault;\n",
        STORES,
        END,
        RETURN,
        TAIL,
    ),
    broken(
        "call in a window",
        "call of encode with a window open",
        BEGIN,
        "\tunsafe_put_user(encode(k->a), &u->a, efault);\n",
        END,
        RETURN,
        TAIL,
    ),
    broken(
        "lock in a window",
        "call of mutex_lock with a window open",
        BEGIN,
        STORES,
        "\tmutex_lock(&k->lock);\n",
        END,
        RETURN,
        TAIL,
    ),
    broken(
        "masked window where there is no masking",
        "without masking",
        "\tu = masked_user_access_begin(u);\n",
        STORES,
        END,
        RETURN,
        TAIL,
    ),
    broken(
        "scope's label ends the window again",
        "ended with none open",
        SCOPED.replace("efault:\n", "efault:\n\tuser_write_access_end();\n"),
        tree="scoped",
    ),
    broken(
        "scope of the other direction",
        "store of .* that cannot",
        SCOPED.replace("scoped_user_write", "scoped_user_read"),
        tree="scoped",
    ),
    broken(
        "scope too small",
        "outside the window",
        SCOPED.replace("access(u,", "access_size(u, sizeof(u->a),"),
        tree="scoped",
    ),
    broken(
        "scope in a scope",
        "begun with a window open",
        "\tstruct uarg __user *v = k->user;\n\n",
        SCOPED.replace(
            "\t}\n", "\t\tscoped_user_read_access(v, efault)\n\t\t\t;\n\t}\n"
        ),
        tree="scoped",
    ),
    broken(
        "first access far from a masked base",
        "far from the masked base",
        SCOPED.replace("&u->a", "&u[30].a").replace(
            "access(u,", "access_size(u, 32 * sizeof(*u),"
        ),
        tree="scoped",
    ),
]

DIFFERENCES = [
    broken(
        "swapped stores",
        "trace",
        BEGIN,
        "\tunsafe_put_user(k->b, &u->b, efault);\n\tunsafe_put_user(k->a, &u->a, efault);\n",
        END,
        RETURN,
        TAIL,
    ),
    broken(
        "wrong value", "user", BEGIN, STORES.replace("k->b", "k->c"), END, RETURN, TAIL
    ),
    broken(
        "wrong errno",
        "ret",
        BEGIN,
        STORES,
        END,
        RETURN,
        TAIL.replace("EFAULT", "EINVAL"),
    ),
    broken(
        "wrong errno of a bad range",
        "ret",
        BEGIN.replace("EFAULT", "EINVAL"),
        STORES,
        END,
        RETURN,
        TAIL,
    ),
    broken(
        "kernel state touched",
        "kernel",
        BEGIN,
        STORES,
        END,
        "\tk->total++;\n",
        RETURN,
        TAIL,
    ),
    broken(
        "one store too few",
        "number of accesses",
        BEGIN,
        "\tunsafe_put_user(k->a, &u->a, efault);\n",
        END,
        RETURN,
        TAIL,
    ),
    broken(
        "two stores merged into one",
        "number of accesses",
        BEGIN,
        "\tunsafe_put_user(k->a | (u64)k->b << 32, (u64 __user *)&u->a, efault);\n",
        END,
        RETURN,
        TAIL,
    ),
    broken(
        "call moved before the window",
        "trace",
        "\taudit(k);\n",
        BEGIN,
        STORES,
        END,
        RETURN,
        TAIL,
    ),
    broken(
        "break leaves the scope, not the function",
        "number of accesses",
        SCOPED.replace("efault);\n\t\tunsafe", "efault);\n\t\tbreak;\n\t\tunsafe", 1),
        tree="scoped",
    ),
]
