# SPDX-License-Identifier: GPL-2.0
"""Generate docs/rules/: the rulebook as Markdown pages."""

import difflib
import re
import textwrap
from pathlib import Path

from hotcocci.findings import ENGINES, SPATCH
from hotcocci.layout import PAGES, PROGRAM
from hotcocci.rules.entry import WINDOWS, Rule
from hotcocci.rules.rulebook import RULES

WIDTH = 119
MADE = "<!-- Made from the rulebook by 'run.py rules --pages docs/rules'; change hotcocci/rules/. -->"
EXAMPLE = "## Example"
# Reasons that can refuse any rewrite after it was generated
GATE = ("no-gain", "small-gain", "one-copy", "overlaps", "failed-proof")


_HEADER = re.compile(r"\A(// SPDX[^\n]*\n)/\*\n.*?\n \*/\n", re.DOTALL)
_MARK = re.compile(r"\s*/\* want[^*]*\*/")
_TITLE = re.compile(r"^ \* Title: (.*)$", re.MULTILINE)
_RULES = re.compile(r"^ \* Rule: (.*)$", re.MULTILINE)
# The rewrite of a case in any tree, or else the one to show: every tree can use classic windows.
_AFTERS = (".after", ".classic.after")
# More lines of context than a function has
WHOLE = 1000


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
    source = f"From `kernel-fixtures/{rule.code}/{case.name}`: {title(case)}."
    of = broken_and_clean if rule.family == WINDOWS else change
    shown = of(case).splitlines()
    return ["", EXAMPLE, "", *_wrapped(source), "", "```diff", *shown, "```"]


def _refusals(rule: Rule, fixtures: Path) -> list[str]:
    lines = ["", "## When it does not apply", ""]
    for reason in (*rule.reasons, *rule.shared_reasons, *GATE):
        lines += _wrapped(f"- `{reason}`: {rule.meaning(reason)}")
        found = refused(fixtures / rule.code, rule.code, reason)
        if found is not None:
            case, line = found
            lines.append(f"  `{line}` in `{case.name}`: {title(case)}.")
    return lines


def _window_cases(rule: Rule, fixtures: Path) -> list[str]:
    named = of_window_rule(fixtures, rule.code)
    lines = ["", "## Cases in `kernel-fixtures`", ""]
    return lines + [
        f"- `{case.relative_to(fixtures)}`: {title(case)}" for case in named
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
            *(f"| {' | '.join(row)} |" for row in [head, ["---"] * len(head), *rows]),
            "",
        ]
    )


def _wrapped(text: str) -> list[str]:
    return textwrap.wrap(text, WIDTH, subsequent_indent="  ", break_on_hyphens=False)


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
