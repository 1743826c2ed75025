# SPDX-License-Identifier: GPL-2.0
"""``loads PATH…``: the chains of dependent loads in the machine code of hot functions."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from hotcocci.cli.options import (
    PROFILE,
    RUNNING,
    add,
    add_format,
    positive,
    settings_of,
)
from hotcocci.cli.reports import JSON
from hotcocci.engines.perf.annotate import annotated as read
from hotcocci.output import loads as output
from hotcocci.output import text
from hotcocci.pipeline.loading import loads
from hotcocci.pipeline.paths import trees

FORMATS = ("text", JSON)


def define(parser: argparse.ArgumentParser) -> None:
    """Add the description and options of the command to its parser."""
    parser.description = (
        "Compile files for x86-64 and print which loads of their hot functions wait for other loads, and "
        "which cache lines of structures they read. Exit code: 0, 1 if a function could not be read, 2 "
        "error."
    )
    add(parser, "paths", *PROFILE, *RUNNING)
    parser.add_argument(
        "--function",
        dest="functions",
        action="append",
        default=[],
        metavar="NAME",
        help="read only this function, hot or not; may be repeated",
    )
    parser.add_argument(
        "--annotate",
        type=Path,
        metavar="FILE",
        help="show how hot each load is; FILE is what perf annotate --stdio prints",
    )
    parser.add_argument(
        "--least",
        type=positive,
        default=3,
        metavar="N",
        help="print chains of at least N loads (default: %(default)s)",
    )
    add_format(parser, FORMATS)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Print the loads; returns the exit code."""
    settings = settings_of(options)
    annotated = read(options.annotate) if options.annotate else []
    found = []
    for tree, paths in trees(options.paths):
        show = text.shown_from(tree.root, Path.cwd())
        for each in loads(
            tree, paths, options.functions, options.least, settings, annotated
        ):
            found.append(each)
            if options.format != JSON:
                print("\n".join(output.text(each, show)), flush=True)
    if options.format == JSON:
        print(output.document(found))
    if not found:
        print("no hot function has code there", file=sys.stderr)
    return 0 if found and not any(each.why for each in found) else 1
