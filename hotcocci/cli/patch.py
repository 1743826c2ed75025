# SPDX-License-Identifier: GPL-2.0
"""``patch PATH…``: a unified diff of the rewrites that passed their gate."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from hotcocci.cli import interactive
from hotcocci.cli.options import (
    add_analysis,
    add_diff_base,
    add_gate,
    add_paths,
    add_tier,
    settings_of,
    touched_by,
)
from hotcocci.errors import UserError
from hotcocci.findings import SAFE
from hotcocci.plural import count
from hotcocci.output import gains, proofs, text
from hotcocci.output.best_first import best_first
from hotcocci.output.hidden import below_hot, with_wrong_comments
from hotcocci.pipeline.analysis import Analysis, analyse
from hotcocci.pipeline.gating import Change, Gated, changes, chosen_rewrites
from hotcocci.pipeline.paths import trees
from hotcocci.pipeline.proof_gate import pass_all
from hotcocci.pipeline.settings import Settings
from hotcocci.rewrite import diff
from hotcocci.tree.kernel import Tree
from hotcocci.tree.source import encode
from hotcocci.tree.source import replace as replace_file


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
        help="ask about each rewrite that passed its checks, as 'git add -p' does: "
        "y, n, a for all that follow, q for none of them, e to edit it, p for its proof",
    )
    add_gate(parser)
    parser.set_defaults(run=run)


@dataclass(frozen=True)
class _Part:
    """What was found in one tree and came of it; ``hidden`` rewrites have another tier, ``cold`` tells what else was left out."""

    analysis: Analysis
    gated: Gated
    hidden: int
    cold: list[str]


def run(options: argparse.Namespace) -> int:
    """Print or apply the diff; returns the exit code."""
    settings = settings_of(options)
    if options.interactive:
        interactive.check_terminal()
    chosen = trees(options.paths)
    parts = [_part(tree, paths, options.diff_base, settings) for tree, paths in chosen]
    gates = [part.gated for part in parts]
    unwritten: list[str] = []
    if options.apply:
        # Before anybody is asked about them
        gates = [_writable(part.analysis.tree, part.gated, unwritten) for part in parts]
    if options.interactive:
        passed = [(p.analysis.tree, g) for p, g in zip(parts, gates, strict=True)]
        check = partial(pass_all, settings=settings)
        gates = interactive.review(passed, check, settings)
    for part, gated in zip(parts, gates, strict=True):
        tree = part.analysis.tree
        prefix = _prefix(tree) if len(chosen) > 1 else ""
        if options.apply:
            gated = _write(tree, gated, unwritten)
        else:
            for change in gated.passed:
                name = prefix + change.file
                _print(diff.unified(name, change.before, change.after))
        whole = options.diff_base is None
        _report(part, gated, settings, whole, options.apply)
    for line in unwritten:
        print(f"hotcocci: {line}", file=sys.stderr)
    return 2 if unwritten else 0


def _part(
    tree: Tree, paths: Sequence[Path], diff_base: str | None, settings: Settings
) -> _Part:
    """Analyse one tree and check its rewrites."""
    analysis = analyse(tree, paths, settings, touched_by(tree, diff_base))
    in_tier = [r.finding for r in analysis.rewrites if r.finding.tier in settings.tiers]
    hidden = len(analysis.rewrites) - len(in_tier)
    rewrites = chosen_rewrites(analysis, settings)
    wanted = changes(rewrites, analysis.possible, analysis.texts)
    gated = pass_all(tree, wanted, settings)
    return _Part(analysis, gated, hidden, below_hot(in_tier, settings))


def _writable(tree: Tree, gated: Gated, unwritten: list[str]) -> Gated:
    """Without the files that are read-only, which are added to ``unwritten`` with the reason."""
    writable: list[Change] = []
    for change in gated.passed:
        path = tree.root / change.file
        # A file of that mode would be replaced nevertheless: its folder is what counts for that.
        if not _is_read_only(path):
            writable.append(change)
        else:
            unwritten.append(
                f"{path} is read-only and is left as it is: 'chmod u+w' it"
            )
    return replace(gated, passed=tuple(writable))


def _is_read_only(path: Path) -> bool:
    try:
        return not path.stat().st_mode & 0o222
    except OSError:
        return False  # It is gone, which is told when it is to be written.


def _write(tree: Tree, gated: Gated, unwritten: list[str]) -> Gated:
    """Change the files; what was changed. Why others were not is added to ``unwritten``."""
    written: list[Change] = []
    for change in gated.passed:
        try:
            replace_file(tree.root / change.file, change.before, change.after)
            written.append(change)
        except UserError as error:
            unwritten.append(str(error))
    return replace(gated, passed=tuple(written))


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
    part: _Part, gated: Gated, settings: Settings, whole: bool, applied: bool
) -> None:
    """Print to standard error what the diff does not show."""
    analysis = part.analysis
    show = text.shown_from(analysis.tree.root, Path.cwd())
    lines = [text.line(finding, show) for finding in gated.refused]
    lines += with_wrong_comments(analysis.filtered, whole, show)
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
        lines.append(
            "--allow-sampled patches what did the same on all inputs that were tried, "
            "--allow-unproven also what could not be compared"
        )
    if settings.prove:
        lines += [line for proof in gated.proofs for line in proofs.text(proof, show)]
    lines += text.checks(gated.proofs)
    lines += gains.summary([gain for proof in gated.proofs for gain in proof.gains])
    lines += best_first(gated, settings.profile is not None, show)
    rewrites = count(sum(len(c.rewrites) for c in gated.passed), "rewrite")
    files = count(len(gated.passed), "file")
    done = "applied" if applied else "printed"
    refused = len(gated.refused)
    lines.append(f"{rewrites} in {files} {done}, {refused} refused by a check")
    if part.hidden:
        lines.append(
            f"{part.hidden} more in another tier: "
            "'lint' lists them, --tier adds them to the patch"
        )
    lines += part.cold
    for line in lines:
        print(line, file=sys.stderr)
