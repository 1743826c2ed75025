# SPDX-License-Identifier: GPL-2.0
"""Properties of a function: what is local, and which cleanups are in scope."""

from __future__ import annotations

import shutil
from collections.abc import Callable

import pytest

from hotcocci.c.parsing import parse_text
from hotcocci.rewrite.context import Context

pytestmark = pytest.mark.skipif(not shutil.which("spatch"), reason="no spatch")

Contexts = Callable[..., dict[str, Context]]

LOCALS = """\
int f(struct s *k, struct u __user *u, int *out, int parameter)
{
	static int kept;
	struct pair pair;
	int plain, array[3];
	int *pointer = out;

	if (get_user(plain, &u->a) || get_user(pair.x, &u->b))
		return -EFAULT;
	if (get_user(array[1], &u->a) || get_user(*pointer, &u->b))
		return -EFAULT;
	if (get_user(kept, &u->a) || get_user(k->field, &u->b))
		return -EFAULT;
	if (get_user(pointer[1], &u->a) || get_user(parameter, &u->b))
		return -EFAULT;
	if (get_user(global, &u->a) || get_user(global, &u->b))
		return -EFAULT;
	return 0;
}
"""


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("plain", True),
        ("pair.x", True),
        ("array[1]", True),
        ("parameter", True),
        ("kept", False),
        ("*pointer", False),
        ("pointer[1]", False),
        ("k->field", False),
        ("global", False),
    ],
)
def test_is_local(contexts: Contexts, text: str, wanted: bool) -> None:
    """An object that outlives the function shows whether a fault stored 0."""
    assert contexts(LOCALS)["f"].is_local(parse_text(text)) == wanted


SCOPES = """\
int f(struct u __user *u, int n)
{
	struct foo *foo __free(kfree) = NULL;

	if (put_user(n, &u->a) || put_user(n, &u->b)) /* one */
		return -EFAULT;
	guard(mutex)(&lock);
	if (n) {
		void *inner __free(kfree) = NULL;

		use(foo, inner);
		if (put_user(n, &u->a) || put_user(n, &u->b)) /* two */
			return -EFAULT;
	}
	scoped_guard(spinlock, &lock) {
		use(foo); /* three */
	}
	return 0; /* four */
}
"""


@pytest.mark.parametrize(
    ("word", "wanted"), [("one", 1), ("two", 3), ("three", 3), ("four", 2)]
)
def test_cleanups(contexts: Contexts, word: str, wanted: int) -> None:
    context = contexts(SCOPES)["f"]
    place = SCOPES.index(f"/* {word} */")
    assert len(context.cleanups_at(place)) == wanted
