# SPDX-License-Identifier: GPL-2.0
"""Each access outside of runs has an explanation of what separates it from the nearest one."""

from pathlib import Path

import pytest

from hotcocci.c.matches import load
from hotcocci.cache import Cache
from hotcocci.engines import spatch
from hotcocci.findings import Facts
from hotcocci.layout import DATA
from hotcocci.pipeline.fingerprint import modules_of
from hotcocci.rewrite.isolated import explain_isolated
from hotcocci.rewrite.options import options_of
from hotcocci.tree.kernel import find_tree, probe

TREE = Path(__file__).parents[2] / "kernel-fixtures/scoped"
OPTIONS = options_of(TREE, probe(TREE))
HEAD = "struct s { int a; int b; int c; };\n\n"

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


def file_of(body: str) -> str:
    """A file with one function, whose body begins in line 5."""
    head = "int f(struct s *k, struct s __user *u, struct s __user *v)\n{\n"
    return HEAD + head + body + "}\n"


@pytest.fixture(scope="module")
def facts(tmp_path_factory) -> dict[str, Facts]:
    """The facts that the script reports for each case."""
    root: Path = tmp_path_factory.mktemp("alone") / "linux"
    (root / "include/linux").mkdir(parents=True)
    for landmark in ("Kconfig", "Makefile", "include/linux/uaccess.h"):
        (root / landmark).write_text("")
    files = {f"{number}.c": name for number, name in enumerate(CASES)}
    for file, name in files.items():
        (root / file).write_text(file_of(CASES[name][0]))
    script = DATA / "cocci/user_access.cocci"
    with Cache(root.parent / "cache") as cache:
        seen, skipped = spatch.facts(
            find_tree(root),
            script,
            list(files),
            cache,
            1,
            60,
            extra_inputs=modules_of(script),
        )
    assert skipped == []
    return {name: load(seen[file], file) for file, name in files.items()}  # type: ignore[arg-type]


@pytest.mark.parametrize("name", CASES)
def test_explanations(name, facts):
    body, expected = CASES[name]
    text = file_of(body)
    line = text[: text.index("/* here */")].count("\n") + 1
    (said,) = explain_isolated(text, facts[name], OPTIONS, line)
    assert expected in said
    assert "of f(). " in said
