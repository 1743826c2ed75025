# SPDX-License-Identifier: GPL-2.0
"""``prove PATH…|--diff FILE``: what speaks for a rewrite, or for a patch someone else wrote."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from hotcocci.cli.analyse import Analysis, analyse, trees
from hotcocci.cli.evidence import evidence
from hotcocci.cli.gated import changes
from hotcocci.cli.incoming import patches_in
from hotcocci.cli.options import add_analysis, add_paths, add_tier, settings_of
from hotcocci.cli.ranking import is_kept, left_out
from hotcocci.cli.reports import HTML, JSON, SARIF, check_trees, of_findings
from hotcocci.cli.sift import aside
from hotcocci.errors import UserError
from hotcocci.findings import (
    NOT_PROVEN,
    SAFE,
    Execution,
    Proof,
    Rewrite,
)
from hotcocci.output import diff, proofs, sarif, text
from hotcocci.pipeline.settings import Settings
from hotcocci.proof.cluster import run as cluster
from hotcocci.proof.gate import Change
from hotcocci.proof.judged import speaks_against
from hotcocci.tree.incoming import changed, not_compared
from hotcocci.tree.kernel import Tree
from hotcocci.tree.targets import ALL, NAMES

FORMATS = ("text", JSON, "markdown", SARIF, HTML)


@dataclass(frozen=True)
class Proposed:
    """What is to be proven; of our own, the rewrites that make it, and what they were found by.

    ``left`` are the files of a patch that are not looked at, with the reason.
    """

    changes: tuple[Change, ...]
    rewrites: tuple[Rewrite, ...] = ()
    analysis: Analysis | None = None
    left: tuple[Proof, ...] = ()


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
        proposed = _proposed(tree, paths, options.diff, settings)
        made = [*evidence(tree, proposed.changes, settings), *proposed.left]
        _print(tree, proposed, made, options.format)
        proven = [_proven(proof, options.allow_sampled) for proof in made]
        whole = whole and bool(made) and all(proven)
    return 0 if whole else 1


def _proposed(
    tree: Tree, paths: Sequence[Path], patch: str | None, settings: Settings
) -> Proposed:
    """What is to be proven: the files before and after."""
    if patch:
        patches = patches_in(patch)
        return Proposed(
            tuple(
                Change(c.file, c.old, c.new, diff.unified(c.file, c.old, c.new))
                for c in changed(tree.root, patches)
            ),
            left=tuple(
                Proof(file, executions=(_not_looked_at(file, why),))
                for file, why in not_compared(tree.root, patches).items()
            ),
        )
    analysis = analyse(tree, paths, settings)
    rewrites = [r for r in analysis.rewrites if r.finding.tier in settings.tiers]
    for line in left_out([rewrite.finding for rewrite in rewrites], settings):
        print(line, file=sys.stderr)
    rewrites = [r for r in rewrites if is_kept(r.finding, settings)]
    for line in aside(analysis.sifted, whole=True):
        print(line, file=sys.stderr)
    wanted = changes(rewrites, analysis.possible, analysis.texts)
    return Proposed(
        tuple(
            Change(c.file, c.before, c.after, diff.unified(c.file, c.before, c.after))
            for c in wanted
        ),
        tuple(rewrites),
        analysis,
    )


def _not_looked_at(file: str, why: str) -> Execution:
    return Execution("any target", file, "", NOT_PROVEN, why)


def _proven(proof: Proof, sampled: bool) -> bool:
    """Whether nothing speaks against a change, and enough for it."""
    against = [e for e in proof.executions if speaks_against(e, sampled, False)]
    return bool(proof.executions) and not (proof.failed or against)


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
