# SPDX-License-Identifier: GPL-2.0
"""The rulebook as pages of Markdown: docs/rules/."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Sequence
from pathlib import Path

from hotcocci.rules.entry import ENGINES, SPATCH, Rule
from hotcocci.rules.rulebook import RULES

WIDTH = 119
MADE = "<!-- Made from the rulebook by 'run.py rules --pages docs/rules'; change hotcocci/rules/. -->"

_TITLE = re.compile(r"^ \* Title: (.*)$", re.MULTILINE)
_RULES = re.compile(r"^ \* (?:Rule|Row): (.*)$", re.MULTILINE)


def pages(cases: Path) -> dict[str, str]:
    """The text of each page by its file's name; ``cases`` is the folder of the window cases."""
    titles = _titles(cases)
    made = {f"{rule.code}.md": _page(rule, titles.get(rule.code, ())) for rule in RULES}
    return {"README.md": _table(), **made}


def _titles(cases: Path) -> dict[str, list[tuple[str, str]]]:
    """The cases of each rule, by their file's name and their title."""
    found: dict[str, list[tuple[str, str]]] = {}
    for path in sorted(cases.glob("*.c")):
        text = path.read_text(encoding="utf-8")
        title, rules = _TITLE.search(text), _RULES.search(text)
        if title is not None and rules is not None:
            for code in re.findall(r"UW\d\d", rules[1]):
                found.setdefault(code, []).append((path.name, title[1]))
    return found


def _table() -> str:
    head = ["rule", *ENGINES, ""]
    rows = [
        [
            f"[{rule.code}]({rule.code}.md)",
            *("x" if engine in rule.engines else "" for engine in ENGINES),
            rule.title + (" (on request)" if rule.on_request else ""),
        ]
        for rule in RULES
    ]
    return "\n".join(
        [
            "# Rules",
            "",
            MADE,
            "",
            "An engine with an x promises to find every violation of the rule that it can look at; no other engine",
            "ever reports the rule. The test of the cases in `kernel-fixtures/windows` holds every engine to it.",
            "",
            *_rows([head, ["---"] * len(head), *rows]),
            "",
        ]
    )


def _rows(rows: Sequence[Sequence[str]]) -> list[str]:
    return ["| " + " | ".join(row) + " |" for row in rows]


def _page(rule: Rule, cases: Sequence[tuple[str, str]]) -> str:
    lines = [f"# {rule.code}: {rule.title}", "", MADE, ""]
    lines += textwrap.wrap(rule.doc, WIDTH)
    if rule.engines:
        found = [
            e + (f" (`{rule.script}`)" if e == SPATCH else "") for e in rule.engines
        ]
        lines += ["", f"Found by {', '.join(found)}."]
    if rule.tiers:
        lines += ["", f"Rewritten in tier {', '.join(rule.tiers)}."]
    if rule.on_request:
        lines += ["", f"Checked only on request: `run.py check --rule {rule.code}`."]
    if cases:
        lines += ["", "Cases in `kernel-fixtures/windows`:", ""]
        lines += [f"- `{name}`: {title}" for name, title in cases]
    return "\n".join([*lines, ""])
