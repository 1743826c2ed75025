# SPDX-License-Identifier: GPL-2.0
"""The skeleton of a rule on each call of some name: a module, a semantic patch and one case to fill in."""

from __future__ import annotations

from pathlib import Path

_RULE = '''# SPDX-License-Identifier: GPL-2.0
"""{code}: TODO."""

from hotcocci.rules.entry import Called, Rule, Verdict, Words

RULE = Rule(
    code="{code}",
    title="TODO: what it finds, in a few words",
    names=frozenset({{"TODO"}}),
    doc="TODO: what it finds, why that costs, and what helps.",
    words=Words(
        "TODO: what a commit does, in the imperative",
        "TODO: why, for the text of the commit.",
    ),
    proof="TODO: what is the same before and after, and what may differ.",
)


def judge(call: Called) -> Verdict:
    """TODO: what takes its place, why it has to stay, or None for no finding."""
    from hotcocci.rewrite.copies.instead import instead, other_than

    pointer, size = call.arguments
    if max(call.bytes(size), default=0) > 8:
        return None
    return other_than(call, pointer, size) or instead(call, "TODO", "0", pointer)
'''

_SCRIPT = """// SPDX-License-Identifier: GPL-2.0-only
/// TODO: what it finds, and what that costs.
// Confidence: Moderate
// Options: --no-includes
// Keywords: TODO
virtual patch, context, org, report

@initialize:python@ @@
import os, sys
sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.realpath(cocci.cocci_file))))
from hotcocci.pipeline.script import Script
script = Script(cocci, coccilib)

@call@
expression list ES;
position a : script:python() {{ script.call(a) }};
iterator name scoped_guard, scoped_cond_guard;
@@
TODO@a(ES)

@line depends on call@
statement S;
position s : script:python() {{ script.is_kept(s) }};
@@
S@s

@script:python@
s << line.s;
@@
script.note_statement(s[0])

@script:python depends on ever call@ @@
script.done()
"""

_CASE = """// SPDX-License-Identifier: GPL-2.0
{header}#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{{
	if (put_user(k->a, &u->a)){mark}
		return -EFAULT;

	return 0;
}}
"""
_HEADER = """/*
 * Title: TODO: what the case is about
 * Row: TODO: the condition it stands for
 */
"""
_MARK = "\t/* want: {code} rewrite - - - - */"


def skeleton(code: str, stem: str) -> dict[Path, str]:
    """The files of a new rule, relative to the checkout; its case fails until judge() finds it."""
    case = Path("kernel-fixtures") / code / f"{stem.replace('_', '-')}.c"
    module = Path("hotcocci/rules") / f"{code.lower()}_{stem}.py"
    return {
        module: _RULE.format(code=code),
        Path("cocci") / f"{stem}.cocci": _SCRIPT.format(),
        case: _CASE.format(header=_HEADER, mark=_MARK.format(code=code)),
        case.with_suffix(".after"): _CASE.format(header="", mark="").replace(
            "\t\n", "\n"
        ),
    }
