# SPDX-License-Identifier: GPL-2.0
"""``prove PATH…|--diff FILE``: what speaks for a rewrite, or for a patch someone else wrote."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from hotcocci.cli.options import add_analysis, add_paths, add_tier, settings_of
from hotcocci.cli.patch_files import patches_in
from hotcocci.cli.reports import HTML, JSON, SARIF, check_trees, of_findings
from hotcocci.errors import UserError
from hotcocci.findings import (
    SAFE,
    Proof,
)
from hotcocci.output import proofs, sarif, text
from hotcocci.output.hidden import below_hot, with_wrong_comments
from hotcocci.pipeline.paths import trees
from hotcocci.pipeline.proving import (
    Proposed,
    is_proven,
    propose,
    propose_patches,
    prove,
)
from hotcocci.pipeline.settings import Settings
from hotcocci.proof.cluster import run as cluster
from hotcocci.tree.kernel import Tree
from hotcocci.tree.targets import ALL, NAMES

FORMATS = ("text", JSON, "markdown", SARIF, HTML)


def add(commands: Any) -> None:
    """Register the command."""
    parser = commands.add_parser(
        "prove",
        help="proofs of the rewrites, or of a patch someone else wrote",
        description="Compiles, checks, counts and runs the code before and after. "
        "Exit code: 0 all of it is proven for all inputs, 1 not all, 2 error.",
    )
    add_paths(parser)
    add_analysis(parser)
    add_tier(parser, SAFE, "this tier and the ones before it (default: %(default)s)")
    parser.add_argument(
        "--diff",
        metavar="FILE",
        help="prove this patch to the tree instead of our rewrites: a diff, a mail or an mbox, "
        "or a folder of 'git format-patch', - for standard input",
    )
    parser.add_argument(
        "--target",
        dest="targets",
        action="append",
        choices=(*NAMES, ALL),
        default=[],
        metavar="NAME",
        help="compile for this target; may be repeated "
        f"(default: x86-64, or what a file belongs to; {', '.join(NAMES)}, {ALL})",
    )
    parser.add_argument(
        "--boot",
        action="store_true",
        help="also call the functions in a booted kernel, where that is possible",
    )
    parser.add_argument(
        "--scheduler",
        metavar="ADDRESS",
        help="let the workers of this dask.distributed scheduler run the code",
    )
    parser.add_argument(
        "--allow-sampled",
        action="store_true",
        help="exit with 0 also if code only did the same on all inputs that were tried",
    )
    parser.add_argument(
        "--format",
        choices=FORMATS,
        default="text",
        help="how to print (default: %(default)s)",
    )
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Print the proofs; returns the exit code."""
    settings = settings_of(options)
    if options.scheduler is not None:
        # Before all the work that comes first.
        cluster.check(options.scheduler)
    chosen = trees(options.paths)
    if options.diff and options.format == SARIF:
        raise UserError(
            "a SARIF log tells of findings, which a patch of someone else has none of: use --format json"
        )
    check_trees(options.format, [tree for tree, _ in chosen])
    if options.diff and len(chosen) > 1:
        names = ", ".join(tree.root.name for tree, _ in chosen)
        raise UserError(
            f"a diff belongs to one tree and the paths lie in {len(chosen)} ({names}): name one of them"
        )
    whole = True
    for tree, paths in chosen:
        if options.diff:
            proposed = propose_patches(tree, patches_in(options.diff))
        else:
            proposed = propose(tree, paths, settings)
        for line in _not_shown(proposed, settings):
            print(line, file=sys.stderr)
        made = [*prove(tree, proposed.changes, settings), *proposed.left]
        _print(tree, proposed, made, options.format)
        proven = [is_proven(proof, settings.allow_sampled) for proof in made]
        whole = whole and bool(made) and all(proven)
    return 0 if whole else 1


def _not_shown(proposed: Proposed, settings: Settings) -> list[str]:
    """Lines on findings whose rewrites are not proven, though their tier is admitted."""
    analysis = proposed.analysis
    if analysis is None:
        return []
    in_tier = [r.finding for r in analysis.rewrites if r.finding.tier in settings.tiers]
    cold = below_hot(in_tier, settings)
    return [*cold, *with_wrong_comments(analysis.filtered, whole=True)]


def _print(tree: Tree, proposed: Proposed, made: Sequence[Proof], form: str) -> None:
    if form == JSON:
        print(proofs.document(made))
    elif form == SARIF:
        print(_log(tree, proposed, made))
    elif form == HTML:
        print(_page(tree, proposed, made))
    else:
        _print_lines(tree, made, form)


def _log(tree: Tree, proposed: Proposed, made: Sequence[Proof]) -> str:
    return sarif.document(
        tree,
        [rewrite.finding for rewrite in proposed.rewrites],
        proposed.rewrites,
        proposed.analysis.skipped if proposed.analysis else (),
        {change.file: change.old for change in proposed.changes},
        {proof.file: proof for proof in made},
    )


def _page(tree: Tree, proposed: Proposed, made: Sequence[Proof]) -> str:
    """All findings, those that are proven with their proofs; of another's patch its files."""
    if proposed.analysis is not None:
        proven = {proof.file: proof for proof in made}
        return of_findings(HTML, proposed.analysis, proposed.analysis.findings, proven)
    # What it is made with takes its time to load.
    from hotcocci.output import proofs_html

    diffs = {change.file: change.diff for change in proposed.changes}
    return proofs_html.page(tree, made, diffs)


def _print_lines(tree: Tree, made: Sequence[Proof], form: str) -> None:
    show = text.shown_from(tree.root, Path.cwd())
    for proof in made:
        if form == "markdown":
            lines = proofs.markdown(replace(proof, file=show(proof.file)))
        else:
            lines = proofs.text(proof, show)
        print("\n".join(lines))
    executions = [e for proof in made for e in proof.executions]
    print(proofs.summary(executions), file=sys.stderr)
