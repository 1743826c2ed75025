# SPDX-License-Identifier: GPL-2.0
"""Functions of preprocessed texts, of which those that begin alike are looked through once."""

import pytest

from hotcocci.proof.objects.conditional import functions

HEADERS = """\
static inline int first(int a)
{
	if (a) {
		return 1;
	}
	return 2;
}
int declared(int a);
"""


@pytest.mark.parametrize(
    ("rest", "names"),
    [
        ("int own(int a) { return a; }", ["first", "own"]),
        ("int other(int (*f)(void))\n{ return f(); }", ["first", "other"]),
        # What was a function is declared, and the other way round.
        ("int own(int a);", ["first"]),
        ("int own(int a)\n{ return first(a); }", ["first", "own"]),
        # The first one counts.
        ("int first(void) { return 3; }", ["first"]),
    ],
)
def test_functions_after_the_same_headers(rest, names):
    text = HEADERS + rest
    found = functions(text)
    assert list(found) == names
    assert all(text[m.start() : m.end()] == m[0] for m in found.values())
    assert found["first"].start() < len(HEADERS)


def test_functions_where_a_text_differs_in_a_header():
    other = HEADERS.replace("first(int a)", "first(long a)").replace("declared", "d")
    assert [m[0] for m in functions(HEADERS).values()] == ["first(int a)\n{"]
    assert [m[0] for m in functions(other).values()] == ["first(long a)\n{"]
