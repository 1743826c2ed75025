# SPDX-License-Identifier: GPL-2.0
"""Generate docs/rules/: the rulebook as Markdown pages."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from pathlib import Path

from hotcocci.output import cases
from hotcocci.findings import ENGINES, SPATCH
from hotcocci.layout import PAGES, PROGRAM
from hotcocci.rules.entry import WINDOWS, Rule
from hotcocci.rules.rulebook import RULES

WIDTH = 119
MADE = "<!-- Made from the rulebook by 'run.py rules --pages docs/rules'; change hotcocci/rules/. -->"
EXAMPLE = "## Example"
# Reasons that can refuse any rewrite after it was generated
GATE = ("no-gain", "small-gain", "one-copy", "overlaps", "failed-proof")


def pages(fixtures: Path) -> dict[str, str]:
    """Return the text of each page by file name; ``fixtures`` is kernel-fixtures/, for the examples."""
    made = {f"{rule.code}.md": page(rule, fixtures) for rule in RULES}
    return {"README.md": _table(), **made}


def page(rule: Rule, fixtures: Path) -> str:
    """Return the page of a rule: what it finds, an example, reasons not to rewrite, what is proved."""
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
        lines += ["", f"Checked only on request: `{PROGRAM} check --rule {rule.code}`."]
    lines += _example(rule, fixtures)
    if rule.family == WINDOWS:
        lines += _window_cases(rule, fixtures)
    else:
        lines += _refusals(rule, fixtures)
        lines += ["", "## Options", ""] if rule.options else []
        lines += [f"- {option}" for option in rule.options]
        lines += ["", "## What is proved", "", *textwrap.wrap(rule.proof, WIDTH)]
    return "\n".join([*lines, ""])


def _example(rule: Rule, fixtures: Path) -> list[str]:
    case = fixtures / rule.code / f"{rule.example}.c"
    source = f"From `kernel-fixtures/{rule.code}/{case.name}`: {cases.title(case)}."
    of = cases.broken_and_clean if rule.family == WINDOWS else cases.change
    change = of(case).splitlines()
    return ["", EXAMPLE, "", *_wrapped(source), "", "```diff", *change, "```"]


def _refusals(rule: Rule, fixtures: Path) -> list[str]:
    lines = ["", "## When it does not apply", ""]
    for reason in (*rule.reasons, *rule.shared_reasons, *GATE):
        lines += _wrapped(f"- `{reason}`: {rule.meaning(reason)}")
        found = cases.refused(fixtures / rule.code, rule.code, reason)
        if found is not None:
            case, line = found
            lines.append(f"  `{line}` in `{case.name}`: {cases.title(case)}.")
    return lines


def _window_cases(rule: Rule, fixtures: Path) -> list[str]:
    named = cases.of_window_rule(fixtures, rule.code)
    lines = ["", "## Cases in `kernel-fixtures`", ""]
    return lines + [
        f"- `{case.relative_to(fixtures)}`: {cases.title(case)}" for case in named
    ]


def example(rule: Rule) -> str:
    """Return what the page of a rule shows as its example; a rule without a page has none yet."""
    file = PAGES / f"{rule.code}.md"
    text = file.read_text(encoding="utf-8") if file.exists() else ""
    return text.partition(f"{EXAMPLE}\n\n")[2].partition("\n\n## ")[0]


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
            "ever reports the rule. The tests of the cases in `kernel-fixtures` hold every engine to it.",
            "",
            *_rows([head, ["---"] * len(head), *rows]),
            "",
        ]
    )


def _rows(rows: Sequence[Sequence[str]]) -> list[str]:
    return ["| " + " | ".join(row) + " |" for row in rows]


def _wrapped(text: str) -> list[str]:
    return textwrap.wrap(text, WIDTH, subsequent_indent="  ", break_on_hyphens=False)
