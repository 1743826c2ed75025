# SPDX-License-Identifier: GPL-2.0
"""Whether the value of a variable may still be read."""

import pytest

from hotcocci.c.syntax import innermost
from hotcocci.rewrite.liveness import constant_before, reads_after, reads_at_label

HERE = "/* here */"
READS = {
    "never": (False, f"err = 1; {HERE} return 0;"),
    "returned": (True, f"{HERE} return err;"),
    "set": (False, f"{HERE} err = 2; return err;"),
    "set_from_itself": (True, f"{HERE} err = err + 2; return err;"),
    "added_to": (True, f"{HERE} err |= 2; return err;"),
    "address": (True, f"{HERE} use(&err); return 0;"),
    "set_in_a_branch": (True, f"{HERE} if (n) err = 2; return err;"),
    "set_after_a_branch": (False, f"{HERE} if (n) return 1; err = 2; return err;"),
    "set_deeper": (False, f"{HERE} {{ err = 2; }} return 0;"),
    "in_an_initialiser": (True, f"{HERE} int z[] = {{ err, n }}; return z[1];"),
    "in_a_declaration": (True, f"{HERE} int z = err; return z;"),
    "a_field_of_that_name": (False, f"{HERE} return s->err;"),
    "iteration_reads": (True, f"while (n--) {{ if (err) break; err = 1; {HERE} x = 1; }}"),
    "iteration_sets": (False, f"while (n--) {{ err = 1; {HERE} x = 1; }}"),
    "iteration_sets_at_times": (True, f"while (n--) {{ if (n) {{ err = 1; }} use(err); {HERE} x = 1; }}"),
    "head_reads": (True, f"while (!err) {{ err = 1; {HERE} x = 1; }}"),
    "head_sets": (False, f"while ((err = f())) {{ if (err) break; {HERE} x = 1; }}"),
    "outer_iteration_reads": (True, f"for (;;) {{ use(err); do {{ err = 1; {HERE} x = 1; }} while (n--); }}"),
    "jump_up": (True, f"again: if (err) return 1; err = 1; {HERE} if (n) goto again;"),
    "jump_down": (False, f"use(err); if (n) goto out; err = 1; {HERE} out: return 0;"),
    "loop_that_reads": (False, f"while (n--) {{ if (err) return 1; err = 1; }} {HERE} return 0;"),
    "loop_in_a_loop": (True, f"while (n--) {{ for (; n; n--) {{ if (err) return 1; }} {HERE} x = 1; }}"),
    "loop_before": (False, f"while (n) {{ use(err); }} err = 1; {HERE} return 0;"),
}  # fmt: skip

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


def bodies(table):
    return "\n".join(HEAD.format(name=n, body=b) for n, (_, b) in table.items())


@pytest.mark.parametrize("name", READS)
def test_reads_after(contexts, name):
    context = contexts(bodies(READS))[name]
    here = context.source.text.index(HERE, context.body.start)
    assert here < context.body.end
    inside = innermost(context.function, here)
    before = [child for child in inside.children if child.end <= here]
    assert reads_after(context, "err", before[-1]) == READS[name][0]


JUMPS = {
    "returned": (True, "out: return err;"),
    "not_returned": (False, "out: return n;"),
    "set_first": (False, "out: err = 1; return err;"),
    "may_be_set": (True, "out: if (n) err = 1; return err;"),
}


@pytest.mark.parametrize("name", JUMPS)
def test_reads_at_label(contexts, name):
    assert reads_at_label(contexts(bodies(JUMPS))[name], "err", "out") == JUMPS[name][0]


# Function bodies: is `err`, which is declared as 0, 0 before the statement HERE?
ZERO = {
    "declared": (True, f"{HERE} x = 1;"),
    "stored": (False, f"err = 1; {HERE} x = 1;"),
    "stored_and_tested": (True, f"err = f(); if (err) return err; {HERE} x = 1;"),
    "tested_for_another": (False, f"err = f(); if (n) return err; {HERE} x = 1;"),
    "stored_again": (True, f"err = f(); use(x); err = 0; {HERE} x = 1;"),
    "in_another_branch": (True, f"if (n) {{ err = 1; return 1; }} {HERE} x = 1;"),
    "in_one_branch": (False, f"if (n) err = 1; {HERE} x = 1;"),
    "accessed": (False, f"if (get_user(err, &u->a)) return 1; {HERE} x = 1;"),
    "by_address": (False, f"use(&err); {HERE} x = 1;"),
    "counted": (False, f"err++; {HERE} x = 1;"),
    "added_to": (False, f"err |= f(); {HERE} x = 1;"),
    "later": (True, f"{HERE} x = 1; err = 1;"),
    "in_an_iteration_before": (False, f"while (n--) {{ {HERE} x = 1; err = 1; }}"),
    "own_of_an_iteration": (True, f"while (n--) {{ {HERE} err = f(); }}"),
}


@pytest.mark.parametrize("name", ZERO)
def test_zero_before(contexts, name):
    context = contexts(bodies(ZERO))[name]
    start = context.source.text.index(HERE, context.body.start) + len(HERE) + 1
    end = context.source.text.index(";", start) + 1
    assert (constant_before(context, "err", start, end) == "0") is ZERO[name][0]
