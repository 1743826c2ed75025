# SPDX-License-Identifier: GPL-2.0
"""Each access outside of runs has an explanation of what separates it from the nearest one."""

import re

import pytest

from hotcocci.cli.why import explain_isolated

# The body of a function each; /* here */ marks the access to explain, and is followed
# by the expected explanation.
CASES = {
    "the only access": (
        "\treturn get_user(k->a, &u->a);	/* here */\n",
        "the only access in this function",
    ),
    "a declaration in a loop": (
        "\twhile (k->a--) {\n\t\tint err = get_user(k->b, &u->b);	/* here */\n\n"
        "\t\tif (err)\n\t\t\treturn err;\n\t}\n\treturn 0;\n",
        "with the access in a statement of its body.",
    ),
    "other bases only": (
        "\tif (get_user(k->a, &u->a))	/* here */\n\t\treturn -EFAULT;\n"
        "\treturn get_user(k->b, &v->b);\n",
        "No other access here goes through u, only through v at line 7.",
    ),
    "a call": (
        "\tif (get_user(k->a, &u->a))	/* here */\n\t\treturn -EFAULT;\n"
        "\tmsleep(k->a);\n\treturn get_user(k->b, &u->b);\n",
        "at line 8, but the call to msleep() at line 7 is in between.",
    ),
    "a label": (
        "\tif (get_user(k->a, &u->a))	/* here */\n\t\treturn -EFAULT;\n"
        "again:\n\tif (get_user(k->b, &u->b))\n\t\tgoto again;\n\treturn 0;\n",
        "only the later one is in the code after the label again at line 7.",
    ),
    "a loop around the other": (
        "\tif (get_user(k->a, &u->a))	/* here */\n\t\treturn -EFAULT;\n"
        "\twhile (k->a--) {\n\t\tif (get_user(k->b, &u->b))\n\t\t\treturn -EFAULT;\n\t}\n"
        "\treturn 0;\n",
        "only the later one is in the while at line 7.",
    ),
    "a block around this one": (
        "\tif (k->a) {\n\t\tk->b = 1;\n"
        "\t\tif (get_user(k->a, &u->a))	/* here */\n\t\t\treturn -EFAULT;\n\t}\n"
        "\treturn get_user(k->b, &u->b);\n",
        "only the earlier one is in the if at line 5.",
    ),
    "two branches": (
        "\tif (k->a)\n\t\treturn get_user(k->a, &u->a);	/* here */\n"
        "\telse\n\t\treturn get_user(k->b, &u->b);\n",
        "they are in different branches of the if at line 5.",
    ),
    "two cases": (
        "\tswitch (k->a) {\n\tcase 1:\n\t\treturn get_user(k->a, &u->a);	/* here */\n"
        "\tcase 2:\n\t\treturn get_user(k->b, &u->b);\n\t}\n\treturn 0;\n",
        "only the later one is in the code after the label case at line 8.",
    ),
    "an if that depends on it": (
        "\tif (!get_user(k->a, &u->a)) {	/* here */\n"
        "\t\tif (get_user(k->b, &u->b))\n\t\t\treturn 1;\n\t\treturn 0;\n\t}\n"
        "\treturn -EFAULT;\n",
        "the later one depends on the if at line 5.",
    ),
    "two declarations": (
        "\tint a = get_user(k->a, &u->a);	/* here */\n"
        "\tint b = get_user(k->b, &u->b);\n\n\treturn a + b;\n",
        "at line 6, but together they have no form that is taken for a run.",
    ),
    "a declaration before a branch": (
        "\tint a = get_user(k->a, &u->a);	/* here */\n\n"
        "\tif (!a)\n\t\treturn get_user(k->b, &u->b);\n\treturn a;\n",
        "only the later one is in the if at line 7.",
    ),
    "a statement over two lines": (
        "\tif (get_user(k->a,\n\t\t     &u->a))	/* here */\n\t\treturn -EFAULT;\n"
        "\tmsleep(k->a);\n\treturn get_user(k->b, &u->b);\n",
        "get_user() through u is in lines 5 to 7 of f(). ",
    ),
}


# Each function has so many lines; its body begins in the fifth.
LINES = 40
FUNCTION = "\n\nint f(struct s *k, struct s __user *u, struct s __user *v)\n{\n"


TEXT = "".join(
    f"{FUNCTION}{body}}}\n" + "\n" * (LINES - 5 - body.count("\n"))
    for body, _ in CASES.values()
)


@pytest.mark.parametrize("number", range(len(CASES)), ids=CASES)
def test_explanations(see, number):
    _, facts, options = see(TEXT)
    body, expected = [*CASES.values()][number]
    before = number * LINES
    line = before + 5 + body[: body.index("/* here */")].count("\n")
    (said,) = explain_isolated(TEXT, facts, options, line)
    said = re.sub(r"\d+", lambda match: str(int(match[0]) - before), said)
    assert expected in said
    assert "of f(). " in said
