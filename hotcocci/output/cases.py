# SPDX-License-Identifier: GPL-2.0
"""Read cases of kernel-fixtures/ as examples for a rule's page."""

from __future__ import annotations

import difflib
import re
from pathlib import Path

_HEADER = re.compile(r"\A(// SPDX[^\n]*\n)/\*\n.*?\n \*/\n", re.DOTALL)
_MARK = re.compile(r"\s*/\* want[^*]*\*/")
_TITLE = re.compile(r"^ \* Title: (.*)$", re.MULTILINE)
_RULES = re.compile(r"^ \* Rule: (.*)$", re.MULTILINE)
# The rewrite of a case in any tree, or else the one to show: every tree can use classic windows.
_AFTERS = (".after", ".classic.after")
# More lines of context than a function has
WHOLE = 1000


def change(case: Path) -> str:
    """Return the rewrite of a case as a unified diff without file names."""
    before = _MARK.sub("", _HEADER.sub(r"\1", case.read_text(encoding="utf-8")))
    afters = [path for s in _AFTERS if (path := case.with_suffix(s)).exists()]
    after = afters[0].read_text(encoding="utf-8")
    lines = difflib.unified_diff(
        before.splitlines(), after.splitlines(), n=4, lineterm=""
    )
    return "\n".join(list(lines)[2:])


def broken_and_clean(case: Path) -> str:
    """Return the case of a window rule as a diff from the broken function to its correct twin."""
    text = _MARK.sub("", case.read_text(encoding="utf-8"))
    broken = case.stem.replace("-", "_")
    functions = [_function(text, name) for name in (broken, f"{broken}_clean")]
    before, after = (
        function.replace(f"{broken}_clean(", f"{broken}(") for function in functions
    )
    lines = difflib.unified_diff(
        before.splitlines(), after.splitlines(), n=WHOLE, lineterm=""
    )
    return "\n".join(list(lines)[3:])


def _function(text: str, name: str) -> str:
    found = re.search(
        rf"^\w[^\n;{{}}]*\b{name}\(.*?^}}\n", text, re.MULTILINE | re.DOTALL
    )
    if found is None:
        raise ValueError(f"no function {name}()")
    return found[0]


def title(case: Path) -> str:
    """Return the title of a case."""
    found = _TITLE.search(case.read_text(encoding="utf-8"))
    return found[1] if found else case.stem


def of_window_rule(fixtures: Path, code: str) -> list[Path]:
    """Return the cases of a window rule, sorted by name."""
    named = [
        case
        for case in fixtures.glob("UW*/*.c")
        if (rules := _RULES.search(case.read_text(encoding="utf-8")))
        and code in re.findall(r"UW\d\d", rules[1])
    ]
    return sorted(named, key=lambda case: case.name)


def refused(folder: Path, code: str, reason: str) -> tuple[Path, str] | None:
    """Return a case of a rule that is refused for a reason and its marked line, None if there is none."""
    mark = re.compile(
        rf"^\s*(.*?)\s*/\* want(?: \w+)?: {code} report {reason} ", re.MULTILINE
    )
    for case in sorted(folder.glob("*.c")):
        found = mark.search(case.read_text(encoding="utf-8"))
        if found is not None:
            return case, _MARK.sub("", found[1])
    return None
