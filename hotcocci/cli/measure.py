# SPDX-License-Identifier: GPL-2.0
"""``measure PATH…|--diff FILE``: time changed functions before and after on this machine."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from hotcocci.cli.options import add_analysis, add_paths, add_tier, settings_of
from hotcocci.cli.patch_files import patches_in
from hotcocci.cli.reports import JSON
from hotcocci.errors import UserError
from hotcocci.findings import SAFE
from hotcocci.output import measured as output
from hotcocci.output import text
from hotcocci.pipeline.measuring import measure, this_machine
from hotcocci.pipeline.paths import trees
from hotcocci.pipeline.proving import propose, propose_patches

FORMATS = ("text", JSON)


def define(parser: argparse.ArgumentParser) -> None:
    """Add the description and options of the command to its parser."""
    parser.description = (
        "Run the object code of changed functions before and after natively, in a process, and print "
        "what a call takes. stac and clac, which a process cannot execute, are replaced by "
        "instructions of a stated cost. Exit code: 0 all measured, 1 not all, 2 error."
    )
    add_paths(parser)
    add_analysis(parser)
    add_tier(parser, SAFE, "measure rewrites up to this tier (default: %(default)s)")
    parser.add_argument(
        "--diff",
        metavar="FILE",
        help="measure this patch instead of our rewrites: a diff, a mail, an mbox, "
        "a 'git format-patch' directory, or - for standard input",
    )
    parser.add_argument(
        "--function",
        dest="functions",
        action="append",
        default=[],
        metavar="NAME",
        help="measure only this function; may be repeated",
    )
    parser.add_argument(
        "--format",
        choices=FORMATS,
        default="text",
        help="output format (default: %(default)s)",
    )
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Print the measurements; returns the exit code."""
    settings = settings_of(options)
    machine = this_machine()
    chosen = trees(options.paths)
    if options.diff and len(chosen) > 1:
        names = ", ".join(tree.root.name for tree, _ in chosen)
        raise UserError(
            f"--diff applies to one tree, but the paths are in {len(chosen)} ({names}): name one of them"
        )
    found = []
    if options.format != JSON:
        print("\n".join(output.conditions(machine)))
    for tree, paths in chosen:
        if options.diff:
            changes = propose_patches(tree, patches_in(options.diff)).changes
        else:
            changes = propose(tree, paths, settings).changes
        show = text.shown_from(tree.root, Path.cwd())
        for each in measure(tree, changes, options.functions, machine, settings):
            found.append(each)
            if options.format != JSON:
                print("\n".join(output.text(each, show)), flush=True)
    if options.format == JSON:
        print(output.document(machine, found))
    if not found:
        print("no changed function to measure", file=sys.stderr)
    return 0 if found and not any(each.why for each in found) else 1
