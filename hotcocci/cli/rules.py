# SPDX-License-Identifier: GPL-2.0
"""``rules [CODE]``: the rulebook."""

import argparse
from pathlib import Path

from hotcocci.cli.options import add_named
from hotcocci.layout import DATA, INSTALLED, PAGES
from hotcocci.names import aligned
from hotcocci.output.pages import MADE, page, pages
from hotcocci.rules.entry import Rule
from hotcocci.rules.rulebook import REASONS, RULES, rule

FIXTURES = "kernel-fixtures"


def define(parser: argparse.ArgumentParser) -> None:
    """Add the description and options of the command to its parser."""
    parser.description = "List the rules, or explain one."
    add_named(parser, {"code CODE": "explain this rule"}, nargs="?")
    add_named(
        parser,
        {
            "--reasons": "list the reasons why a finding, with CODE of this rule, may have no rewrite",
            "--pages DIR": "write a Markdown page for each rule to DIR",
        },
    )


def run(options: argparse.Namespace) -> int:
    """Print the rules, one rule or the reasons; returns the exit code."""
    if options.pages:
        _write(options.pages)
    elif options.code and not options.reasons:
        text = _page(rule(options.code))
        print(text.removeprefix("# ").replace(f"{MADE}\n\n", ""), end="")
    elif not options.reasons:
        for entry in RULES:
            more = "; ".join(filter(None, map(", ".join, (entry.engines, entry.tiers))))
            print(f"{entry.code}  {entry.title}{more and f' ({more})'}")
    if options.reasons:
        reasons = dict(REASONS)
        if options.code:
            entry = rule(options.code)
            own = (*entry.reasons, *entry.shared_reasons)
            reasons = {reason: entry.meaning(reason) for reason in own}
        for line in aligned(list(reasons.items())):
            print(line)
    return 0


def _page(entry: Rule) -> str:
    """The page of a rule: as it was installed, or from what the checkout has now."""
    if INSTALLED:
        return (PAGES / f"{entry.code}.md").read_text(encoding="utf-8")
    return page(entry, DATA / FIXTURES)


def _write(folder: Path) -> None:
    """Write the pages, and remove those of deleted rules."""
    made = pages(DATA / FIXTURES)
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob("[A-Z][A-Z]*.md"):
        if old.name not in made:
            old.unlink()
    for name, text in made.items():
        (folder / name).write_text(text, encoding="utf-8")
