# SPDX-License-Identifier: GPL-2.0
"""Edits by offset become statements that SmPL can delete and paste."""

from __future__ import annotations

import shutil
from collections.abc import Callable

import pytest

from hotcocci.c.source import Source
from hotcocci.c.syntax import functions
from hotcocci.findings import Edit, Facts, Span
from hotcocci.rewrite.options import Options
from hotcocci.rules.ua101_user_access_run.decide import decide
from hotcocci.rewrite.pasting import BOTH, SCOPE, TEXT, Paste, pastes

pytestmark = pytest.mark.skipif(not shutil.which("spatch"), reason="no spatch")

See = Callable[..., tuple[str, Facts, Options]]

TWO_IFS = """\
int f(struct u __user *u, int n)
{
	if (put_user(n, &u->a))
		return -EFAULT;
	if (put_user(n, &u->b))
		return -EFAULT;
	return n;
}
"""
RETURNED = """\
int f(struct u __user *u, int n)
{
	use(n);
	return put_user(n, &u->a) || put_user(n, &u->b) ? -EFAULT : 0;
}
"""
NO_BRACES = """\
int f(struct u __user *u, int n)
{
	if (n)
		if (put_user(n, &u->a) || put_user(n, &u->b))
			return -EFAULT;
	return n;
}
"""
VARIABLE_GOES = """\
int f(struct u __user *u, int n)
{
	int err;

	err = put_user(n, &u->a);
	if (!err)
		err = put_user(n, &u->b);
	return err;
}
"""
AWAY = """\
int f(struct u __user *u, int n)
{
	while (n--) {
		/* é */ if (put_user(n, &u->a) || put_user(n, &u->b)) return -EFAULT; /* é */
	}
	return n;
}
"""


def made(see: See, text: str, api: str) -> list[Paste] | None:
    """What SmPL is told for the one function of a text."""
    _, facts, options = see(text, api)
    _, rewrites = decide(text, facts, options)
    assert rewrites
    edits = tuple(dict.fromkeys(e for r in rewrites for e in r.edits))
    (function,) = functions(Source(facts.file, text), facts)
    return pastes(function.source, function, edits)


def test_classic(see: See) -> None:
    """The first statement goes, the window takes the place of the second."""
    found = made(see, TWO_IFS, "classic")
    assert found is not None
    window, label = found
    assert (window.form, window.run, window.members) == (
        TEXT,
        True,
        (Span(3, 1, 4, 17),),
    )
    assert window.replaced == Span(5, 1, 6, 17)
    assert window.text.startswith("if (!user_write_access_begin(u, sizeof(*u)))\n")
    assert window.text.endswith("\tuser_write_access_end()")
    # A label can be pasted only with the statement before it.
    assert (label.form, label.run, label.replaced) == (TEXT, False, Span(7, 1, 7, 10))
    assert label.text == (
        "return n;\n\nefault:\n\tuser_write_access_end();\n\treturn -EFAULT"
    )


def test_scoped(see: See) -> None:
    found = made(see, TWO_IFS, "scoped")
    assert found is not None
    window, label = found
    assert (window.form, window.head, window.arguments) == (
        SCOPE,
        "scoped_user_write_access",
        "u, efault",
    )
    assert window.inner == (
        "unsafe_put_user(n, &u->a, efault);\n\t\tunsafe_put_user(n, &u->b, efault)"
    )
    assert label.text == "return n;\n\nefault:\n\treturn -EFAULT"


@pytest.mark.parametrize("api", ["classic", "scoped"])
def test_run_that_is_the_end(see: See, api: str) -> None:
    """One paste: the window, the return behind it, and the label."""
    found = made(see, RETURNED, api)
    assert found is not None
    (only,) = found
    assert (only.form, only.run, only.members) == (TEXT, True, ())
    begin = "if (!user_write" if api == "classic" else "scoped_user_write"
    assert only.text.startswith(begin)
    assert "\treturn 0;\n\nefault:\n" in only.text


def test_columns_count_bytes(see: See) -> None:
    """They are compared with spatch's own."""
    found = made(see, AWAY, "scoped")
    assert found is not None
    line = AWAY.split("\n")[3].encode()
    start, end = line.index(b"if"), line.rindex(b";") + 1
    assert Span(4, start, 4, end) in [p.replaced for p in found]


@pytest.mark.parametrize("text", [NO_BRACES, VARIABLE_GOES])
def test_what_is_no_statement(see: See, text: str) -> None:
    """Braces and declarations cannot be pasted: the function is left alone."""
    assert made(see, text, "classic") is None


def test_text_before_a_scope(see: See) -> None:
    text, facts, _ = see(TWO_IFS, "scoped")
    (function,) = functions(Source(facts.file, text), facts)
    first, second = function.body.children[:2]
    scope = "scoped_user_write_access(u, efault) {\n\t\tg();\n\t}"
    edit = Edit(first.start, second.end, f"t = u;\n\t{scope}")
    (only,) = pastes(function.source, function, (edit,)) or []
    assert (only.form, only.text, only.inner) == (BOTH, "t = u", "g()")
