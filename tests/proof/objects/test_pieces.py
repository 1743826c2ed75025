# SPDX-License-Identifier: GPL-2.0
"""Marks show what of a function or a macro is compiled, and arguments that nothing uses are found."""

import subprocess
from pathlib import Path

import pytest

from hotcocci.proof.changed import Text, differing
from hotcocci.proof.objects.conditional import functions
from hotcocci.proof.objects.idle import Ignored, Unit
from hotcocci.proof.objects.marking import Bodies
from hotcocci.proof.objects.marking import marked as marked_macros
from hotcocci.proof.objects.pieces import is_literal
from hotcocci.proof.objects.seen import MARK, marked

HEAD = """\
#define OFF 0
#define each(i, n) for (int i = 0; i < (n); i++)
#define both(x, y) do { (x)(0); (y)(0); } while (0)
#define LIST(name) int *name = 0
#define guard(x) int g_##x __attribute__((unused)) = x
int a(int), b(int), c(int);
int *p(int);
"""
FUNCTION = HEAD + "int f(int x)\n{\n%s\n\treturn x;\n}\n"


def kept(tmp_path: Path, body: str) -> set[str]:
    """The source of each piece of a function that gcc keeps, or "constant" before it."""
    text = Text("a.c", FUNCTION % body)
    found = text.pieces
    path = tmp_path / "a.c"
    path.write_text(marked(text, set(range(len(found.all)))))
    argv = ["gcc", "-O2", "-w", "-S", "-o", "-", str(path)]
    said = subprocess.run(argv, capture_output=True, text=True, check=True).stdout
    owned: dict[int, list[str]] = {}
    for token in text.tokens:
        if token.start in found.owner:
            owned.setdefault(found.owner[token.start], []).append(token.text)
    return {
        ("constant " if constant else "") + " ".join(owned.get(int(number), ()))
        for number, constant in MARK.findall(said)
    }


@pytest.mark.parametrize(
    ("body", "there", "missing"),
    [
        ("\tif (OFF)\n\t\ta(1);\n\telse\n\t\tb(1);", "else b ( 1 ) ;", "a ( 1 ) ;"),
        ("\tif (sizeof(x) < 4 && a(x))\n\t\tb(1);", "", "&& a ( x )"),
        ("\tif (a(x) || b(x))\n\t\tc(1);", "|| b ( x )", ""),
        ("\tx = OFF ? a(1) : b(1);", ": b ( 1 )", "? a ( 1 )"),
        ("\tx = a(OFF && b(x));", "x = a ( ) ;", "&& b ( x )"),
        ("\tdo {\n\t\ta(1);\n\t} while (OFF && b(2));", "do { a ( 1 ) ; }", "&& b ( 2 )"),
        ("\tfor (int i = 0; i < x; i++)\n\t\ta(i);", "a ( i ) ;", ""),
        ("\tfor (;;)\n\t\tif (a(x))\n\t\t\tbreak;", "break ;", ""),
        ("\teach(i, x)\n\t\ta(i);", "each ( i , x ) a ( i ) ;", ""),
        ("\teach(i, x) {\n\t\ta(i);\n\t}", "a ( i ) ; }", ""),
        ("\tswitch (x) {\n\tcase 1:\n\t\ta(1);\n\t}", "{ case 1 :", ""),
        ("\tif (x)\n\t\tboth(a, b);\n\telse\n\t\tc(1);", "both ( a , b ) ;", ""),
        ("\tLIST(l);\n\n\tx = *l;", "LIST ( l ) ;", ""),
        ("\tguard(x);\n\n\tx = g_x;", "guard ( x ) ;", ""),
        ("\tx = ({ a(1); OFF ? b(1) : 2; });", "a ( 1 ) ;", "? b ( 1 )"),
        ("\tif (a(x))\n\t\tgoto out;\n\tb(x);\nout:\n\tc(x);", "goto out ;", ""),
        ("\tint *q = x ? p(1) : p(2);\n\n\tx = *q;", ": p ( 2 )", ""),
        ("\tstatic int t = 1 ? 2 : 3;\n\n\tx = t++;", "static int t = 1 ? 2 : 3 ;", ""),
        ("\tif (OFF)\n\t\tgoto out;\n\tb(x);\nout:\n\tc(x);", "b ( x ) ;", "goto out ;"),
        ("\tif (a(x))\n\t\treturn OFF ?: b(x);", ": b ( x )", ""),
    ],
)  # fmt: skip
def test_a_compiler_keeps_what_is_reachable(tmp_path, body, there, missing):
    found = {each.removeprefix("constant ") for each in kept(tmp_path, body)}
    assert not there or there in found, found
    assert not missing or missing not in found, found


@pytest.mark.parametrize(
    ("condition", "constant"),
    [
        ("sizeof(x) == 4", True),
        ("OFF", True),
        ("x == 4", False),
        ("a(x)", False),
        ("x && OFF", True),
    ],
)
def test_constant_conditions_are_told(tmp_path, condition, constant):
    found = kept(tmp_path, f"\tif ({condition})\n\t\ta(1);")
    assert any(each.startswith("constant ") for each in found) is constant, found


def test_literals_are_decided_by_no_configuration():
    assert is_literal("1") and is_literal("(true)") and is_literal("!0")
    assert not is_literal("OFF") and not is_literal("sizeof(x) == 4")


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
    text = marked_macros(bodies, wanted)
    assert len(wanted) == text.count("asm volatile") - text.count('constant"')
    assert text.count("\n") == new.count("\n")
    assert all(part in text for part in parts)


TEXTS = Path(__file__).with_name("pieces")
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
