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


WINDOW = BEGIN + STORES + END + RETURN + TAIL
SECOND = "\tunsafe_put_user(k->c, &u->c, efault);\n"
FIRST_STORE, SECOND_STORE = STORES.splitlines(keepends=True)


def broken(name: str, message: str, *changes: tuple[str, str]) -> Broken:
    """The correct window, or scope, with each first text replaced by the second."""
    scoped = any(old in SCOPED and old not in WINDOW for old, _ in changes)
    text = SCOPED if scoped else WINDOW
    for old, new in changes:
        assert old in text, old
        text = text.replace(old, new)
    return Broken(name, "scoped" if scoped else "classic", HEAD + text, message)


OTHER = "begin(u, sizeof(*u))"
NESTED = "\t\tscoped_user_read_access(v, efault)\n\t\t\t;\n\t}\n"
VIOLATIONS = [
    broken("missing end", "open at return", (END + RETURN, RETURN)),
    broken(
        "missing end after a fault", "open at return", (TAIL, TAIL.replace(END, ""))
    ),
    broken("double end", "ended with none open", (END + RETURN, END + END + RETURN)),
    broken(
        "end after a begin that failed",
        "ended with none open",
        (BEGIN, BEGIN.replace("return -EFAULT", "goto efault")),
    ),
    broken("access before the window", "outside a window", (BEGIN, SECOND + BEGIN)),
    broken("access after the window", "outside a window", (RETURN, SECOND + RETURN)),
    broken("no window", "outside a window", (BEGIN, ""), (END + RETURN, RETURN)),
    broken(
        "access beyond the range", "outside the window", ("sizeof(*u)", "sizeof(u->a)")
    ),
    broken(
        "access before the range",
        "outside the window",
        (OTHER, "begin(&u->b, sizeof(*u))"),
    ),
    broken(
        "access to another object",
        "outside the window",
        (STORES, FIRST_STORE.replace("&u", "&k->user")),
    ),
    broken(
        "store in a read window", "store of .* that cannot", ("user_write", "user_read")
    ),
    broken(
        "load in a write window",
        "load of .* that cannot",
        (STORES, FIRST_STORE.replace("put", "get")),
    ),
    broken(
        "end of the other direction",
        "of one direction ended as another",
        (END + RETURN, END.replace("write", "read") + RETURN),
    ),
    broken(
        "end of both directions",
        "of one direction ended as another",
        (END + RETURN, END.replace("write_", "") + RETURN),
    ),
    broken(
        "nested begin",
        "begun with a window open",
        (BEGIN, BEGIN + BEGIN),
        (END + RETURN, END + END + RETURN),
    ),
    broken(
        "get_user() in a window",
        "whole access .* window open",
        (STORES, "\tif (get_user(k->c, &u->c))\n\t\tgoto efault;\n" + STORES),
    ),
    broken(
        "range check in a window",
        "range check with a window open",
        (STORES, "\tif (!access_ok(k->user, 4))\n\t\tgoto efault;\n" + STORES),
    ),
    broken(
        "call in a window",
        "call of encode with a window open",
        (STORES, FIRST_STORE.replace("k->a", "encode(k->a)")),
    ),
    broken(
        "masked window where there is no masking",
        "without masking",
        (BEGIN, "\tu = masked_user_access_begin(u);\n"),
    ),
    broken(
        "scope's label ends the window again",
        "ended with none open",
        ("}\n\treturn 0;\n\nefault:\n", "}\n\treturn 0;\n\nefault:\n" + END),
    ),
    broken(
        "scope of the other direction",
        "store of .* that cannot",
        ("scoped_user_write", "scoped_user_read"),
    ),
    broken(
        "scope too small",
        "outside the window",
        ("access(u,", "access_size(u, sizeof(u->a),"),
    ),
    broken(
        "scope in a scope",
        "begun with a window open",
        ("\tscoped", "\tstruct uarg __user *v = k->user;\n\n\tscoped"),
        ("\t}\n", NESTED),
    ),
    broken(
        "first access far from a masked base",
        "far from the masked base",
        ("access(u,", "access_size(u, 32 * sizeof(*u),"),
        ("&u->a", "&u[30].a"),
    ),
]

DIFFERENCES = [
    broken("swapped stores", "trace", (STORES, SECOND_STORE + FIRST_STORE)),
    broken("wrong value", "user", ("k->b", "k->c")),
    broken("wrong errno", "ret", (TAIL, TAIL.replace("EFAULT", "EINVAL"))),
    broken(
        "wrong errno of a bad range", "ret", (BEGIN, BEGIN.replace("EFAULT", "EINVAL"))
    ),
    broken("kernel state touched", "kernel", (RETURN, "\tk->total++;\n" + RETURN)),
    broken("one store too few", "number of accesses", (SECOND_STORE, "")),
    broken(
        "two stores merged into one",
        "number of accesses",
        (
            STORES,
            "\tunsafe_put_user(k->a | (u64)k->b << 32, (u64 __user *)&u->a, efault);\n",
        ),
    ),
    broken("call moved before the window", "trace", (BEGIN, "\taudit(k);\n" + BEGIN)),
    broken(
        "break leaves the scope, not the function",
        "number of accesses",
        ("efault);\n\t\tunsafe", "efault);\n\t\tbreak;\n\t\tunsafe"),
    ),
]
