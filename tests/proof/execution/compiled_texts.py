# SPDX-License-Identifier: GPL-2.0
"""Rewrites of small functions, good and broken, compiled and run for a target."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from hotcocci.findings import Execution
from hotcocci.proof.execution.changed import changed_lines
from hotcocci.proof.execution.compiled import compiled_unit
from hotcocci.proof.execution.execute import execute
from hotcocci.proof.execution.processors import processor_for
from hotcocci.proof.execution.seen import Compilation, unseen
from hotcocci.tree.build import prepare
from hotcocci.tree.command import commands
from hotcocci.tree.overlay import lay
from hotcocci.tree.targets import TARGETS

# Built into every kernel; its contents are replaced.
FILE = "lib/usercopy.c"

HEAD = """\
#include <linux/delay.h>
#include <linux/sched.h>
#include <linux/uaccess.h>

struct hc {
	u32 a;
	u16 b;
	u16 c;
	u64 d;
};

u64 hc_elsewhere(int first, u64 second, struct hc *third);
"""

PUTS = """\
int {name}(struct hc __user *to, struct hc *from);
int {name}(struct hc __user *to, struct hc *from)
{{
	if (put_user(from->a, &to->a) || put_user(from->b, &to->b) ||
	    put_user(from->c, &to->c) || put_user(from->d, &to->d))
		return -EFAULT;
	return 0;
}}
"""
STORES = """\
int {name}(struct hc __user *to, struct hc *from);
int {name}(struct hc __user *to, struct hc *from)
{{
	if (!user_write_access_begin(to, sizeof(*to)))
		return -EFAULT;
	unsafe_put_user(from->a, &to->a, efault);
	unsafe_put_user(from->b, &to->b, efault);
	unsafe_put_user(from->c, &to->c, efault);
	unsafe_put_user(from->d, &to->d, efault);
	user_write_access_end();
	return 0;

efault:
	user_write_access_end();
	return -EFAULT;
}}
"""
GETS = """\
int {name}(struct hc __user *from);
int {name}(struct hc __user *from)
{{
	struct hc to;
	u64 told;

	if (get_user(to.a, &from->a) || get_user(to.b, &from->b) ||
	    get_user(to.c, &from->c) || get_user(to.d, &from->d))
		return -EFAULT;
	told = hc_elsewhere(to.b, to.d, &to);
	if (WARN_ON(told == 7))
		return to.a;
	return told == to.d ? to.b : to.c;
}}
"""
LOADS = """\
int {name}(struct hc __user *from);
int {name}(struct hc __user *from)
{{
	struct hc to;
	u64 told;

	if (!user_read_access_begin(from, sizeof(*from)))
		return -EFAULT;
	unsafe_get_user(to.a, &from->a, efault);
	unsafe_get_user(to.b, &from->b, efault);
	unsafe_get_user(to.c, &from->c, efault);
	unsafe_get_user(to.d, &from->d, efault);
	user_read_access_end();
	told = hc_elsewhere(to.b, to.d, &to);
	if (WARN_ON(told == 7))
		return to.a;
	return told == to.d ? to.b : to.c;

efault:
	user_read_access_end();
	return -EFAULT;
}}
"""
# Copies call assembly routines, which really run.
COPIES = """\
int {name}(u32 __user *user, unsigned long n, void (*tell)(u32 *));
int {name}(u32 __user *user, unsigned long n, void (*tell)(u32 *))
{{
	u32 numbers[12];

	if (n > sizeof(numbers) || copy_from_user(numbers, user, n))
		return -EFAULT;
	tell(numbers);
	if (copy_to_user(user + 1, numbers, sizeof(numbers) - 2))
		return -EFAULT;
{puts}	return clear_user(user, n) ? -EFAULT : 0;
}}
"""
COPY = """\
int {name}(u32 __user *from);
int {name}(u32 __user *from)
{{
	u32 to[3];

	if (copy_from_user(to, from, sizeof(to)))
		return -EFAULT;
	return to[0] ^ to[1] ^ to[2];
}}
"""
WORDS = """\
int {name}(u32 __user *from);
int {name}(u32 __user *from)
{{
	u32 to[3];

	if (!user_read_access_begin(from, sizeof(to)))
		return -EFAULT;
	unsafe_get_user(to[0], &from[0], efault);
	unsafe_get_user(to[1], &from[1], efault);
	unsafe_get_user(to[2], &from[2], efault);
	user_read_access_end();
	return to[0] ^ to[1] ^ to[2];

efault:
	user_read_access_end();
	return -EFAULT;
}}
"""
TWO_PUTS = """\
	if (put_user(numbers[1], &user[50]) || put_user(numbers[2], &user[51]))
		return -EFAULT;
"""
TWO_STORES = """\
	if (!user_write_access_begin(&user[50], 8))
		return -EFAULT;
	unsafe_put_user(numbers[1], &user[50], efault);
	unsafe_put_user(numbers[2], &user[51], efault);
	user_write_access_end();
	if (0) {
efault:
		user_write_access_end();
		return -EFAULT;
	}
"""

A, B = (f"\tunsafe_put_user(from->{m}, &to->{m}, efault);\n" for m in "ab")
END = "\tuser_write_access_end();\n"


class Variant(NamedTuple):
    """A function before and after; ``{name}`` is replaced by its name."""

    name: str
    old: str
    new: str


def _changed(name: str, before: str, after: str, count: int = 1) -> Variant:
    assert before in STORES
    return Variant(name, PUTS, STORES.replace(before, after, count))


GOOD = (
    Variant("writes", PUTS, STORES),
    Variant("reads", GETS, LOADS),
    Variant("copy_reads", COPY, WORDS),
    Variant(
        "copies",
        COPIES.replace("{puts}", TWO_PUTS),
        COPIES.replace("{puts}", TWO_STORES.replace("{", "{{").replace("}", "}}")),
    ),
)
# Loads a number of bytes that is not known.
UNPROVEN = ("copies",)
BROKEN = (
    _changed("swapped", A + B, B + A),
    _changed("missing", B, ""),
    _changed("no_end", END, ""),
    _changed("no_end_on_a_fault", "efault:\n" + END, "efault:\n"),
    _changed("other_value", "from->b,", "from->c,"),
    _changed("other_place", "&to->c,", "&to->b,"),
    _changed("narrowed", "from->a, &to->a,", "from->a, (u16 __user *)&to->a,"),
    _changed("fault_is_success", END + "\treturn -EFAULT;", END + "\treturn 0;"),
    _changed("behind_the_end", B, END + B),
    _changed("other_direction", "user_write_access_begin", "user_read_access_begin"),
    _changed("short_range", "sizeof(*to)", "8"),
    _changed("calls", B, "\tmsleep(1);\n" + B),
    Variant("narrow_load", GETS, LOADS.replace("&from->a", "(u16 __user *)&from->a")),
    Variant("other_argument", GETS, LOADS.replace("to.d, &to", "to.d + 1, &to")),
    Variant("other_order", COPY, WORDS.replace("&from[0]", "&from[3]", 1)),
)
# Expected messages for some of them
CLOSED = "user memory is accessed with user access closed"
DETAILS = {
    "no_end": "it returns with user access open",
    "no_end_on_a_fault": "it returns with user access open",
    "fault_is_success": "it returned 0xfffffff2, now 0x0",
    "behind_the_end": CLOSED,
    "other_direction": "in a window for the other direction",
    "short_range": "is outside its window: 8 bytes at ",
    "calls": "msleep() is called with user access open",
    "other_argument": "call hc_elsewhere(",
}


def executed(
    tree: Path, target: str, place: Path, variants: Iterable[Variant]
) -> dict[str, Execution]:
    """Run the variants and return the results by name. Prepared builds are kept between runs."""
    home = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    build = prepare(tree, TARGETS[target], Path(home) / "hotcocci-tests")
    variants = tuple(variants)
    old = HEAD + "\n".join(v.old.format(name=f"hc_{v.name}") for v in variants)
    new = HEAD + "\n".join(v.new.format(name=f"hc_{v.name}") for v in variants)
    changed = changed_lines(FILE, old, new)
    for name, text in zip(("old", "new"), changed.aligned.texts, strict=True):
        lay(tree, {FILE: text}, place / name)
    processor = processor_for(build)
    assert processor is not None
    places = (place / "old", place / "new")
    command = commands(build, [FILE])[FILE]
    unit = compiled_unit(build, command, places, place, changed, processor)
    how = Compilation(build, command, places, place, processor)
    found = execute(unit, changed, tuple(unseen(how, changed, unit)))
    return {e.function.removeprefix("hc_"): e for e in found}
