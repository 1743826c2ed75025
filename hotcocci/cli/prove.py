# SPDX-License-Identifier: GPL-2.0
"""``prove PATH…|--diff FILE``: prove rewrites, or a given patch, equivalent."""

import argparse
from collections import Counter
from collections.abc import Sequence

from hotcocci.cli.options import (
    add,
    add_analysis,
    add_bench,
    add_format,
    add_named,
    add_targets,
    add_tier,
    patches_in,
    settings_of,
)
from hotcocci.cli.reports import JSON, SARIF, check_trees
from hotcocci.cli.terminal import say
from hotcocci.errors import UserError
from hotcocci.findings import SAFE, STYLE, Proof
from hotcocci.output import proofs, sarif, text
from hotcocci.output.text import below_hot, with_wrong_comments
from hotcocci.pipeline.filtering import why_left
from hotcocci.pipeline.paths import trees
from hotcocci.pipeline.proof_gate import with_bench
from hotcocci.pipeline.proving import (
    Proposed,
    is_proven,
    propose,
    propose_patches,
    prove,
)
from hotcocci.pipeline.settings import Settings
from hotcocci.proof import cluster
from hotcocci.tree.kernel import Tree
from hotcocci.tree.targets import ALL, NAMES

TEXT = "text"
FORMATS = (TEXT, JSON, SARIF)
NO_BEHAVIOUR = (
    "remarks of checkpatch do not change the exit code (with --style, they do)"
)


def define(parser: argparse.ArgumentParser) -> None:
    """Add the description and options of the command to its parser."""
    parser.description = (
        "Compile the code before and after, run the tree's checks, count instructions and compare "
        "the object code. Exit code: 0 everything proven for all inputs, 1 not everything, 2 error."
    )
    add(parser, "paths")
    add_analysis(parser)
    add_tier(parser, SAFE, "prove rewrites up to this tier (default: %(default)s)")
    text = (
        "prove this patch instead of our rewrites: a diff, a mail, an mbox, "
        "a 'git format-patch' directory, or - for standard input"
    )
    add_named(parser, {"--diff FILE": text}, type=str)
    text = (
        "compile for this target; may be repeated "
        f"({', '.join(NAMES)}, {ALL}; default: x86-64, or a file's own architecture; "
        "for --diff also 32 bits, where these may differ)"
    )
    add_targets(parser, text, "targets")
    add_named(
        parser,
        {
            "--scheduler ADDRESS": "run on the workers of this dask.distributed scheduler",
            "--insecure": "allow a scheduler on another machine without TLS",
        },
    )
    add_bench(parser, "")
    add_named(parser, {"--style": "exit with 1 for remarks of checkpatch, too"})
    add_format(parser, FORMATS)


def run(options: argparse.Namespace) -> int:
    """Print the proofs; returns the exit code."""
    settings = settings_of(options)
    if options.scheduler is not None:
        # Before minutes of other work.
        cluster.check(options.scheduler, options.insecure)
    chosen = trees(options.paths)
    if options.diff and options.format == SARIF:
        raise UserError(
            "a SARIF log needs findings, and a patch given with --diff has none: use --format json"
        )
    check_trees(options, chosen)
    whole = True
    for tree, paths in chosen:
        if options.diff:
            proposed = propose_patches(tree, patches_in(options.diff))
        else:
            proposed = propose(tree, paths, settings)
        say(*_not_shown(proposed, settings))
        with settings.observer.progress("proving"):
            own = prove(tree, proposed.changes, settings, others=bool(options.diff))
            made = [*own, *proposed.left]
        if settings.bench:
            made = with_bench(
                tree, proposed.changes, made, settings, one=bool(options.diff)
            )
        _print(tree, proposed, made, options.format)
        proven = [is_proven(proof, options.style) for proof in made]
        if not options.style and any(c.name == STYLE for p in made for c in p.failed):
            say(NO_BEHAVIOUR)
        if options.format == TEXT:
            say(proofs.summary(made, options.style))
        if not made and not options.diff:
            say(_nothing(proposed))
        whole = whole and bool(made or not options.diff) and all(proven)
    return 0 if whole else 1


def _not_shown(proposed: Proposed, settings: Settings) -> list[str]:
    """Return lines on findings of a selected tier whose rewrites are not proven."""
    analysis = proposed.analysis
    if analysis is None:
        return []
    in_tier = [r.finding for r in analysis.rewrites if r.finding.tier in settings.tiers]
    cold = below_hot(in_tier, settings)
    return [*cold, *with_wrong_comments(analysis.filtered, whole=True)]


def _nothing(proposed: Proposed) -> str:
    """Say why there is nothing to prove."""
    findings = proposed.analysis.findings if proposed.analysis else ()
    left = Counter(filter(None, map(why_left, findings)))
    why = ", ".join(f"{number:,} {reason}" for reason, number in sorted(left.items()))
    return f"nothing to prove: no rewrite is offered{f': {why}' if why else ''}"


def _print(tree: Tree, proposed: Proposed, made: Sequence[Proof], form: str) -> None:
    if form == JSON:
        print(proofs.document(made))
    elif form == SARIF:
        skipped = proposed.analysis.skipped if proposed.analysis else ()
        findings = [rewrite.finding for rewrite in proposed.rewrites]
        texts = {change.file: change.old for change in proposed.changes}
        proven = {proof.file: proof for proof in made}
        log = (tree, findings, proposed.rewrites, skipped, texts)
        print(sarif.document(*log, "prove", proven))
    else:
        show = text.shown_from(tree.root)
        for proof in made:
            print("\n".join(proofs.text(proof, show)))
