# SPDX-License-Identifier: GPL-2.0
"""``doctor``: every outside program, and what is lost without it."""

from __future__ import annotations

import argparse
from typing import Any

from hotcocci.engines.programs import look


def add(commands: Any) -> None:
    """Register the command."""
    parser = commands.add_parser(
        "doctor",
        help="every outside program: found, version, what is lost without it",
        description="Looks for the outside programs. Exit code 2 if one is missing without which nothing works.",
    )
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Print the table; returns the exit code."""
    found = look()
    width = max(len(entry.program.name) for entry in found)
    for entry in found:
        if entry.path:
            state = f"{entry.version or 'found':<12} {entry.path}"
        else:
            state = f"{'missing':<12} without it: {entry.program.lost}; get it: {entry.program.get}"
        print(f"{entry.program.name:<{width}}  {state}")
    return 2 if any(entry.program.needed and not entry.path for entry in found) else 0
