# SPDX-License-Identifier: GPL-2.0
"""The skeleton of a new rule: an entry, a decision, a semantic patch and one case to fill in."""

from __future__ import annotations

from pathlib import Path

from hotcocci.rules.entry import ACCESSES, LOADS

# Families by the prefix of the code. A window rule is an entry of windows.py, and a checker.
FAMILIES = {"UA": ACCESSES, "LD": LOADS}
# A semantic patch for all four modes of coccicheck: SmPL matches accesses, Python
# decides and prints.
MODEL = "cocci/user_access.cocci"

_ENTRY = '''# SPDX-License-Identifier: GPL-2.0
"""{code}: TODO."""

from __future__ import annotations

from hotcocci.findings import PREPARED, SPATCH
from hotcocci.rules.entry import {family}, Rule, Words
from hotcocci.tree.select import ACCESS

RULE = Rule(
    code="{code}",
    title="TODO: what it finds, in a few words",
    family={family},
    engines=(SPATCH,),
    script="cocci/{stem}.cocci",
    mention=ACCESS,
    tiers=(PREPARED,),
    doc="TODO: what it finds, why that costs, and what helps.",
    words=Words(
        "TODO: what a commit does, in the imperative",
        "TODO: why, for the text of the commit.",
    ),
    reasons={{}},
    shared_reasons=(),
    example="{case}",
    proof="TODO: what is the same before and after, and what may differ.",
)
'''

_DECIDE = '''# SPDX-License-Identifier: GPL-2.0
"""{code}: decide on the matches in one file: findings, and rewrites for some of them."""

from __future__ import annotations

from hotcocci.c.unseen import ACCESSES
from hotcocci.findings import Facts, Finding, Rewrite
from hotcocci.rewrite.options import Options
from hotcocci.rewrite.prefilter import may_hold_run
from hotcocci.rules.implementation import Implementation


def decide(
    text: str, facts: Facts, options: Options
) -> tuple[list[Finding], list[Rewrite]]:
    """TODO: Every … of a file, and the rewrites of those that can be rewritten."""
    return [], []


IMPLEMENTATION = Implementation(may_hold_run, decide, ACCESSES)
'''

_CASE = """// SPDX-License-Identifier: GPL-2.0
{header}#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{{
	if (put_user(k->a, &u->a) ||{mark}
	    put_user(k->b, &u->b) ||
	    put_user(k->c, &u->c))
		return -EFAULT;

	return 0;
}}
"""
_HEADER = """/*
 * Title: TODO: what the case is about
 * Row: TODO: the condition it stands for
 */
"""
_MARK = "	/* want: {code} rewrite - - - - */"
_HEAD = """// SPDX-License-Identifier: GPL-2.0-only
/// TODO: what it finds, and what that costs.
///
"""


def skeleton(checkout: Path, code: str, stem: str) -> dict[Path, str]:
    """The files of a new rule, relative to the checkout; its case fails until decide() finds it."""
    package = f"{code.lower()}_{stem}"
    package_dir = Path("hotcocci/rules") / package
    case = Path("kernel-fixtures") / code / f"{stem.replace('_', '-')}.c"
    names = {
        "code": code,
        "stem": stem,
        "family": FAMILIES[code[:2]].upper(),
        "case": case.stem,
    }
    model = (checkout / MODEL).read_text(encoding="utf-8")
    return {
        package_dir / "__init__.py": _ENTRY.format(**names),
        package_dir / "decide.py": _DECIDE.format(**names),
        Path("cocci") / f"{stem}.cocci": _HEAD + model[model.index("// Confidence:") :],
        case: _CASE.format(header=_HEADER, mark=_MARK.format(**names)),
        case.with_suffix(".after"): _CASE.format(header="", mark=""),
    }
