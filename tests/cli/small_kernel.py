# SPDX-License-Identifier: GPL-2.0
"""Texts of small kernel files with sequences of accesses, or a window."""

from pathlib import Path

TEXTS = Path(__file__).with_name("texts")
HEAD = "#include <linux/uaccess.h>\n\n"
POINTS = "#include <linux/uaccess.h>\nstruct point { int x, y, z; };\n\n"


def function(name, accesses, static=False, calls="", tail=""):
    """A function with accesses that return -EFAULT, from its line 3 on."""
    before = f"\t{calls}(p, to);\n" if calls else ""
    return (
        f"{'static ' if static else ''}int {name}(int __user *p, int *to)\n{{\n"
        f"\tif ({accesses})\n\t\treturn -EFAULT;\n{before}\treturn 0;\n}}\n{tail}"
    )


def system_call(calls):
    """What assembly calls for each system call, and calls a function."""
    return (
        f"int do_syscall_64(int __user *p, int *to)\n{{\n\treturn {calls}(p, to);\n}}\n"
    )


def terminal(function):
    """The operations of a terminal, which is written to now and then."""
    return f"static const struct tty_operations ops = {{\n\t.write = {function},\n}};\n"


def puts(number):
    """A condition with this many put_user()."""
    return " || ".join(f"put_user(to[{n}], p + {n})" for n in range(number))


# On line 5, three accesses in tier safe, and a double fetch, which is only reported
SAFE = HEAD + function("f", puts(3))
REPORTED = HEAD + function("f", "get_user(to[0], p) || get_user(to[1], p)")
# A correct window, after which something is returned in line 7
WINDOW = (TEXTS / "writes.c").read_text(encoding="utf-8")
# Its end opens and closes another direction, or is missing
ENDS_ANOTHER = WINDOW.replace("write_access_end();\n\tr", "read_access_end();\n\tr", 1)
OPEN = WINDOW.replace("\tuser_write_access_end();\n\treturn 0;", "\treturn 0;")
