# SPDX-License-Identifier: GPL-2.0
"""Properties of a function: whether a variable is used again, what is local."""

from __future__ import annotations

import shutil
from collections.abc import Callable

import pytest

from hotcocci.c.parsing import parse_text
from hotcocci.rewrite.context import Context

pytestmark = pytest.mark.skipif(not shutil.which("spatch"), reason="no spatch")

Contexts = Callable[..., dict[str, Context]]

HERE = "/* here */"
# Function bodies: is the value that `err` has HERE used?
READS = {
    "never": (False, f"err = 1; {HERE} return 0;"),
    "returned": (True, f"{HERE} return err;"),
    "set": (False, f"{HERE} err = 2; return err;"),
    "set_from_itself": (True, f"{HERE} err = err + 2; return err;"),
    "added_to": (True, f"{HERE} err |= 2; return err;"),
    "address": (True, f"{HERE} use(&err); return 0;"),
    "set_in_a_branch": (True, f"{HERE} if (n) err = 2; return err;"),
    "set_after_a_branch": (True, f"{HERE} if (n) return 1; err = 2; return err;"),
    "set_deeper": (True, f"{HERE} {{ err = 2; }} return 0;"),
    "a_field_of_that_name": (False, f"{HERE} return s->err;"),
    "iteration_reads": (
        True,
        f"while (n--) {{ if (err) break; err = 1; {HERE} x = 1; }}",
    ),
    "iteration_sets": (False, f"while (n--) {{ err = 1; {HERE} x = 1; }}"),
    "iteration_sets_at_times": (
        True,
        f"while (n--) {{ if (n) {{ err = 1; }} use(err); {HERE} x = 1; }}",
    ),
    "head_reads": (True, f"while (!err) {{ err = 1; {HERE} x = 1; }}"),
    "head_sets": (False, f"while ((err = f())) {{ if (err) break; {HERE} x = 1; }}"),
    "outer_iteration_reads": (
        True,
        f"for (;;) {{ use(err); do {{ err = 1; {HERE} x = 1; }} while (n--); }}",
    ),
    "jump_up": (True, f"again: if (err) return 1; err = 1; {HERE} if (n) goto again;"),
    "jump_down": (False, f"use(err); if (n) goto out; err = 1; {HERE} out: return 0;"),
    "loop_before": (False, f"while (n) {{ use(err); }} err = 1; {HERE} return 0;"),
}

HEAD = """\
int {name}(struct s *s, struct u __user *u, int n)
{{
	int err = 0, x, y;

	if (put_user(n, &u->a) || put_user(n, &u->b))
		return -EFAULT;
	{body}
	return 0;
}}
"""


@pytest.fixture(scope="module")
def reads(contexts: Contexts) -> dict[str, Context]:
    text = "\n".join(HEAD.format(name=n, body=b) for n, (_, b) in READS.items())
    return contexts(text)


@pytest.mark.parametrize(("name", "wanted"), [(n, w) for n, (w, _) in READS.items()])
def test_reads_after(reads: dict[str, Context], name: str, wanted: bool) -> None:
    context = reads[name]
    here = context.source.text.index(HERE, context.body.start)
    assert here < context.body.end
    assert context.reads_after("err", here) == wanted


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


def test_identifiers_leave_out_fields(contexts: Contexts) -> None:
    """A new name may equal that of a field, but not that of a variable or a label."""
    context = contexts(LOCALS)["f"]
    assert {"plain", "parameter", "global"} <= context.identifiers
    assert not {"field", "x"} & context.identifiers
