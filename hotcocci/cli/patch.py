# SPDX-License-Identifier: GPL-2.0
"""``patch PATH…``: a unified diff of the rewrites that passed their gate."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path
from typing import Any

from hotcocci.cli.analyse import Analysis, analyse, trees
from hotcocci.cli.ask import choose
from hotcocci.cli.gated import Gated, changes, pass_gate
from hotcocci.cli.proved import pass_proof
from hotcocci.cli.options import (
    add_analysis,
    add_diff_base,
    add_gate,
    add_paths,
    add_tier,
    tiers_up_to,
    touched_by,
)
from hotcocci.cli.best import best_first
from hotcocci.cli.ranking import is_kept, left_out
from hotcocci.errors import UserError
from hotcocci.findings import SAFE
from hotcocci.output import diff, gains, proofs, text
from hotcocci.tree.kernel import Tree
from hotcocci.tree.source import encode, replace


def add(commands: Any) -> None:
    """Register the command."""
    parser = commands.add_parser(
        "patch",
        help="a unified diff of what passed its gate",
        description="Prints one diff of all rewrites that passed their checks. "
        "Exit code: 0, 2 error.",
    )
    add_paths(parser)
    add_analysis(parser)
    add_diff_base(parser)
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
    add_gate(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Print or apply the diff; returns the exit code."""
    if options.interactive and not sys.stdin.isatty():
        raise UserError(
            "--interactive asks on a terminal, and there is none: "
            "leave it away or start it from one"
        )
    chosen = trees(options.paths)
    for tree, paths in chosen:
        analysis = analyse(tree, paths, options, touched_by(tree, options))
        tiers = tiers_up_to(options.tier)
        rewrites = [r for r in analysis.rewrites if r.finding.tier in tiers]
        hidden = len(analysis.rewrites) - len(rewrites)
        cold = left_out([rewrite.finding for rewrite in rewrites], options)
        rewrites = [r for r in rewrites if is_kept(r.finding, options)]
        if options.interactive:
            rewrites = choose(rewrites, analysis.texts)
        wanted = changes(rewrites, analysis.possible, analysis.texts)
        gated = pass_gate(tree, wanted, options)
        if options.prove:
            gated = pass_proof(tree, gated, options)
        prefix = _prefix(tree) if len(chosen) > 1 else ""
        for change in gated.passed:
            if options.apply:
                replace(tree.root / change.file, change.before, change.after)
            else:
                name = prefix + change.file
                _print(diff.unified(name, change.before, change.after))
        _report(analysis, gated, hidden, cold, options)
    return 0


def _prefix(tree: Tree) -> str:
    """What tells files of several trees apart: the way from here to the tree."""
    here = Path.cwd()
    if not tree.root.is_relative_to(here):
        return tree.root.name + "/"
    return os.path.relpath(tree.root, here) + "/"


def _print(patch: str) -> None:
    # In the bytes of the file, whatever the terminal makes of them.
    sys.stdout.flush()
    sys.stdout.buffer.write(encode(patch))
    sys.stdout.buffer.flush()


def _report(
    analysis: Analysis,
    gated: Gated,
    hidden: int,
    cold: list[str],
    options: argparse.Namespace,
) -> None:
    """What the diff does not show, for the person who started the command."""
    show = text.shown_from(analysis.tree.root, Path.cwd())
    lines = [text.line(finding, show) for finding in gated.refused]
    lines += [text.skipped_line(skip, show) for skip in analysis.skipped]
    lines += [
        f"{show(skip.file)}: patched without being compiled: {skip.reason}"
        for skip in gated.uncompiled
    ]
    lines += [
        f"{show(skip.file)}: not patched, it could not be compiled: {skip.reason}"
        for skip in gated.held
    ]
    if gated.held:
        lines.append("--allow-uncompiled patches what could not be compiled, too")
    lines += [
        f"{show(skip.file)}: not patched: {skip.reason}" for skip in gated.unproven
    ]
    if gated.unproven:
        lines.append("--allow-unproven patches what could not be run, too")
    if options.prove:
        lines += [line for proof in gated.proofs for line in proofs.text(proof, show)]
    lines += text.checks(gated.proofs)
    lines += gains.summary([gain for proof in gated.proofs for gain in proof.gains])
    lines += best_first(gated, options.profile is not None, show)
    rewrites = text.count(sum(len(c.rewrites) for c in gated.passed), "rewrite")
    files = text.count(len(gated.passed), "file")
    done = "applied" if options.apply else "printed"
    refused = len(gated.refused)
    lines.append(f"{rewrites} in {files} {done}, {refused} refused by a check")
    if hidden:
        lines.append(
            f"{hidden} more in another tier: "
            "'lint' lists them, --tier adds them to the patch"
        )
    lines += cold
    for line in lines:
        print(line, file=sys.stderr)
