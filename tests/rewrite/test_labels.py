# SPDX-License-Identifier: GPL-2.0
"""New labels follow the naming style of the file and are unique."""

from dataclasses import replace

import pytest

from hotcocci.c.source import Source
from hotcocci.findings import READ, READ_WRITE, WRITE
from hotcocci.rewrite.labels import choose, house_name

FAULT = ("return -EFAULT;",)
ACCESSES = """\
	if (put_user(1, &u->a) || put_user(2, &u->b))
		return -EFAULT;
"""


def function(name, body):
    return (
        f"int {name}(struct u __user *u, int n)\n{{\n{ACCESSES}{body}\treturn 0;\n}}\n"
    )


def labelled(*names):
    """A function with these labels, in addition to the tested one."""
    return function("g", "".join(f"{n}:\n\tuse(n);\n" for n in names))


@pytest.mark.parametrize(
    ("names", "wanted"),
    [
        ("", "efault"),
        ("Efault out", "Efault"),
        ("efault_a out_free out_unlock", "out_fault"),
        ("err_free err_unlock done", "err_fault"),
        ("bad_fault err_a err_b", "bad_fault"),
        ("uaccess_end err_a", "uaccess_end"),
    ],
)
def test_house_name(contexts, names, wanted):
    context = contexts(labelled(*names.split()) + function("f", ""))["f"]
    assert house_name(context) == wanted
    # There checkpatch is strict about capitals.
    source = Source("net/compat.c", context.source.text)
    moved = replace(context.function, source=source)
    assert house_name(replace(context, function=moved)) == wanted.lower()


def test_two_windows_differ_by_direction(contexts):
    context = contexts(function("f", ""))["f"]
    taken = set()
    made = [choose(context, taken, d, FAULT, True) for d in (READ, WRITE, READ_WRITE)]
    made.append(choose(context, taken, WRITE, FAULT, True))
    assert made == ["efault_read", "efault_write", "efault_rw", "efault_write2"]
    assert taken == set(made)


def test_names_in_use_are_not_reused(contexts):
    context = contexts(function("f", "\tuse(&efault);\n"))["f"]
    assert choose(context, set(), READ, FAULT, False) == "efault2"


def test_a_label_of_the_function(contexts):
    context = contexts(function("f", "efault:\n\tuse(n);\n"))["f"]
    assert choose(context, set(), READ, FAULT, False) == "efault_read"
    assert choose(context, set(), READ, ("goto efault;",), False) == "efault_end"
