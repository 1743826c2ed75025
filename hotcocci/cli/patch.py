# SPDX-License-Identifier: GPL-2.0
"""``patch PATH…``: a unified diff of the rewrites that passed their gate."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hotcocci.cli.analyse import Analysis, analyse, trees
from hotcocci.cli.ask import choose
from hotcocci.cli.options import add_analysis, add_paths, add_tier, tiers_up_to
from hotcocci.errors import UserError
from hotcocci.findings import SAFE, Finding, Rewrite
from hotcocci.output import diff, text
from hotcocci.rewrite.apply import apply
from hotcocci.tree.kernel import Tree
from hotcocci.tree.source import encode, replace


@dataclass(frozen=True)
class Change:
    """One file before and after the rewrites that were chosen for it."""

    file: str
    before: str
    after: str
    rewrites: tuple[Rewrite, ...]


def add(commands: Any) -> None:
    """Register the command."""
    parser = commands.add_parser(
        "patch",
        help="a unified diff of what passed its gate",
        description="Prints one diff of all rewrites that passed their checks. Exit code: 0, 2 error.",
    )
    add_paths(parser)
    add_analysis(parser)
    add_tier(parser, SAFE, "this tier and the ones before it (default: %(default)s)")
    parser.add_argument(
        "--apply",
        action="store_true",
        help="change the files, each as a whole or not at all",
    )
    parser.add_argument(
        "--interactive",
        action="store_true",
        help="ask about each rewrite: y, n, a for all, q to stop asking",
    )
    parser.add_argument(
        "--allow-uncompiled",
        action="store_true",
        help="also patch files that cannot be compiled on this machine",
    )
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Print or apply the diff; returns the exit code."""
    if options.interactive and not sys.stdin.isatty():
        raise UserError(
            "--interactive asks on a terminal, and there is none: leave it away or start it from one"
        )
    for tree, paths in trees(options.paths):
        analysis = analyse(tree, paths, options)
        tiers = tiers_up_to(options.tier)
        rewrites = [
            rewrite for rewrite in analysis.rewrites if rewrite.finding.tier in tiers
        ]
        hidden = len(analysis.rewrites) - len(rewrites)
        if options.interactive:
            rewrites = choose(rewrites, analysis.texts)
        passed, failed = passed_gate(tree, changes(rewrites, analysis.texts), options)
        for change in passed:
            if options.apply:
                replace(tree.root / change.file, change.before, change.after)
            else:
                _print(
                    diff.unified(
                        _prefix(tree) + change.file, change.before, change.after
                    )
                )
        _report(analysis, passed, failed, hidden, options)
    return 0


def changes(rewrites: Sequence[Rewrite], texts: dict[str, str]) -> list[Change]:
    """The rewrites gathered by file, in the order of files."""
    by_file: dict[str, list[Rewrite]] = {}
    for rewrite in rewrites:
        by_file.setdefault(rewrite.finding.file, []).append(rewrite)
    return [
        Change(
            file,
            texts[file],
            apply(texts[file], [edit for rewrite in chosen for edit in rewrite.edits]),
            tuple(chosen),
        )
        for file, chosen in sorted(by_file.items())
    ]


def passed_gate(
    tree: Tree, wanted: Sequence[Change], options: argparse.Namespace
) -> tuple[list[Change], list[Finding]]:
    """The changes that no check speaks against, and a finding for each rewrite that was refused."""
    return list(wanted), []


def _prefix(tree: Tree) -> str:
    """What leads from the current folder to a tree below it, so that the diff applies here."""
    here = Path.cwd()
    if tree.root == here or not tree.root.is_relative_to(here):
        return ""
    return os.path.relpath(tree.root, here) + "/"


def _print(patch: str) -> None:
    # In the bytes of the file, whatever the terminal makes of them.
    sys.stdout.flush()
    sys.stdout.buffer.write(encode(patch))
    sys.stdout.buffer.flush()


def _report(
    analysis: Analysis,
    passed: Sequence[Change],
    failed: Sequence[Finding],
    hidden: int,
    options: argparse.Namespace,
) -> None:
    """What the diff does not show, for the person who started the command."""
    show = text.shown_from(analysis.tree.root, Path.cwd())
    for finding in failed:
        print(text.line(finding, show), file=sys.stderr)
    for skip in analysis.skipped:
        print(text.skipped_line(skip, show), file=sys.stderr)
    count = sum(len(change.rewrites) for change in passed)
    done = "applied" if options.apply else "printed"
    print(
        f"{count} rewrites in {len(passed)} files {done}, {len(failed)} refused by a check",
        file=sys.stderr,
    )
    if hidden:
        print(
            f"{hidden} more need a closer look: 'lint' lists them, --tier shows them",
            file=sys.stderr,
        )
