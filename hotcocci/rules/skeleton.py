# SPDX-License-Identifier: GPL-2.0
"""The skeleton of a rule on one call: that of the guide with TODO for its words, and one case to fill in."""

from __future__ import annotations

import re
from pathlib import Path

# Has a whole rule, the module before the semantic patch.
GUIDE = "docs/adding-a-rule.md"

BLOCK = re.compile(r"^```(?:python|c)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
# What that rule says, and the calls that it is about
_SAID = re.compile(r'"[^"\n]*"|(?<=^/// ).*$', re.MULTILINE)
_CALLS = re.compile(r"clear_user|put_user")

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


def skeleton(checkout: Path, code: str, stem: str) -> dict[Path, str]:
    """The files of a new rule, relative to the checkout; its case fails until judge() finds it."""
    guide = (checkout / GUIDE).read_text(encoding="utf-8")
    case = Path("kernel-fixtures") / code / f"{stem.replace('_', '-')}.c"
    places = (
        Path("hotcocci/rules") / f"{code.lower()}_{stem}.py",
        Path("cocci") / f"{stem}.cocci",
    )
    texts = [_SAID.sub(_to_do, text) for text in BLOCK.findall(guide)]
    texts = [_CALLS.sub("TODO", text).replace("UA205", code) for text in texts]
    return {
        **dict(zip(places, texts, strict=True)),
        case: _CASE.format(header=_HEADER, mark=_MARK.format(code=code)),
        case.with_suffix(".after"): _CASE.format(header="", mark=""),
    }


def _to_do(said: re.Match[str]) -> str:
    """TODO for a sentence, in the quotes that it is in; a single word stays."""
    return re.sub(r"[^\"]+", "TODO", said[0]) if " " in said[0] else said[0]
