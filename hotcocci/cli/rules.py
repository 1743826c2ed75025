# SPDX-License-Identifier: GPL-2.0
"""``rules [CODE]``: the rulebook."""

from __future__ import annotations

import argparse
import textwrap
from pathlib import Path
from typing import Any

from hotcocci.output.pages import pages
from hotcocci.pipeline.fingerprint import CHECKOUT
from hotcocci.rules.entry import Rule
from hotcocci.rules.reasons import REASONS
from hotcocci.rules.rulebook import RULES, rule

WIDTH = 79
CASES = "kernel-fixtures/windows"


def add(commands: Any) -> None:
    """Register the command."""
    parser = commands.add_parser(
        "rules", help="the rulebook", description="Lists the rules, or explains one."
    )
    parser.add_argument("code", nargs="?", metavar="CODE", help="explain this rule")
    parser.add_argument(
        "--reasons",
        action="store_true",
        help="list why a finding may come without a rewrite",
    )
    parser.add_argument(
        "--pages", type=Path, metavar="FOLDER", help="write a page for each rule"
    )
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Print what was asked for; returns the exit code."""
    if options.pages:
        _write(options.pages)
    elif options.code:
        entry = rule(options.code)
        print(f"{entry.code}: {entry.title}\n\n{textwrap.fill(entry.doc, WIDTH)}\n")
        print(_found_by(entry))
    elif not options.reasons:
        for entry in RULES:
            told = "; ".join(filter(None, map(", ".join, (entry.engines, entry.tiers))))
            print(f"{entry.code}  {entry.title} ({told})")
    if options.reasons:
        width = max(len(code) for code in REASONS)
        for code, sentence in REASONS.items():
            print(f"{code:{width}}  {sentence}")
    return 0


def _write(folder: Path) -> None:
    """Write the pages, and remove those of rules that are gone."""
    made = pages(CHECKOUT / CASES)
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob("[A-Z][A-Z]*.md"):
        if old.name not in made:
            old.unlink()
    for name, text in made.items():
        (folder / name).write_text(text, encoding="utf-8")


def _found_by(entry: Rule) -> str:
    said = f"Found by {', '.join(entry.engines)}"
    if entry.script:
        said += f", with {entry.script}"
    if entry.tiers:
        said += f"; rewrites in tier {', '.join(entry.tiers)}"
    if entry.on_request:
        said += f"; checked only on request: check --rule {entry.code}"
    return said + "."
