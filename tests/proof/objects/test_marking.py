# SPDX-License-Identifier: GPL-2.0
"""Marks go into the changed parts of macros, and arguments that nothing uses are found."""

from pathlib import Path

import pytest

from hotcocci.proof.changed import Text, differing
from hotcocci.proof.objects.conditional import functions
from hotcocci.proof.objects.idle import Ignored, Unit
from hotcocci.proof.objects.marking import Bodies, marked

OLD = """\
#define chosen(x) (IS_ENABLED(CONFIG_A) ? \\
		   one(x) : two(x))
#define done(x) do { if (x) one(x); else two(x); } while (0)
#define NUMBER 5
"""


@pytest.mark.parametrize(
    ("was", "now", "parts"),
    [
        ("one(x) : two", "one(x) : six", ["hotcocci", "six(x))"]),
        ("CONFIG_A", "CONFIG_B", ["constant", "IS_ENABLED(CONFIG_B)"]),
        ("else two(x)", "else two(y)", ["else {", "two(y); }"]),
        # Where it is used, as a whole
        ("NUMBER 5", "NUMBER 6", ["NUMBER 6"]),
    ],
)
def test_changed_parts_of_macros(was, now, parts):
    new = OLD.replace(was, now)
    sides = differing(Text("a.h", OLD), Text("a.h", new))
    bodies = Bodies("a.h", new, macros=tuple(sides[1]), theirs=tuple(sides[0]))
    wanted = {bodies.pieces.owner[token.start] for token, _ in bodies.changed()}
    text = marked(bodies, wanted)
    assert len(wanted) == text.count("asm volatile") - text.count('constant"')
    assert text.count("\n") == new.count("\n")
    assert all(part in text for part in parts)


TEXTS = Path(__file__).with_name("marking")
HEADER = (TEXTS / "header.h").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("call", "name"),
    [
        ("pass(mm, HERE + 1, p)", "pass"),
        ("pass(HERE, addr, p)", ""),
        ("pass(mm, addr, HERE)", ""),
        ("other(HERE, size(1))", ""),
        ("other(1, size(HERE))", "size"),
        ("use(HERE, 1)", ""),
        ("use(f, HERE)", ""),
        ("sizeof(HERE)", ""),
        ("own(HERE)", ""),
    ],
)
def test_arguments_that_nothing_uses(call, name):
    own = "static void own(int a)\n{\n}\n"
    text = f"{HEADER}{own}void f(void)\n{{\n\t{call};\n}}\n"
    known = Ignored(text, functions(text), "own".__ne__)
    assert known.by(text.index("HERE")) == name


def test_a_dead_branch_with_a_label_is_entered():
    # unsafe_get_user() of 7.x names its caller's label in one.
    text = """\
	one(hotcocci_token_1_);
	if (0) {
	local_label:
		goto hotcocci_token_2_;
	}
	if (0) {
		two(hotcocci_token_3_);
	}
"""
    assert Unit(text).kept().keys() == {1, 2}
