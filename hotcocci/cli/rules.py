# SPDX-License-Identifier: GPL-2.0
"""``rules [CODE]``: the rulebook."""

from __future__ import annotations

import argparse
import textwrap
from typing import Any

from hotcocci.rules.reasons import REASONS
from hotcocci.rules.rulebook import RULES, rule

WIDTH = 79


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
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Print what was asked for; returns the exit code."""
    if options.code:
        entry = rule(options.code)
        print(f"{entry.code}: {entry.title}\n\n{textwrap.fill(entry.doc, WIDTH)}\n")
        print(
            f"Found by {entry.engine} with {entry.script}; rewrites in tier {', '.join(entry.tiers)}."
        )
    elif not options.reasons:
        for entry in RULES:
            print(
                f"{entry.code}  {entry.title} ({entry.engine}; {', '.join(entry.tiers)})"
            )
    if options.reasons:
        width = max(len(code) for code in REASONS)
        for code, sentence in REASONS.items():
            print(f"{code:{width}}  {sentence}")
    return 0
