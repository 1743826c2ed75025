# SPDX-License-Identifier: GPL-2.0
"""What ``series`` prints: its commits, and what was left out."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import dataclass

from hotcocci.deliver.parts import rewrite_id
from hotcocci.deliver.recipients import Recipients
from hotcocci.deliver.series import Branch, Made
from hotcocci.output import text
from hotcocci.output.hidden import below_hot, with_wrong_comments
from hotcocci.pipeline.analysis import Analysis
from hotcocci.pipeline.gating import Gated
from hotcocci.pipeline.settings import Settings


@dataclass(frozen=True)
class Letter:
    """A commit of the series: its subject, who gets it, what checkpatch.pl says about it."""

    sha: str
    subject: str
    recipients: Recipients
    complaints: tuple[str, ...]


def report(
    analysis: Analysis,
    gated: Gated,
    made: Made,
    letters: Sequence[Letter],
    branch: Branch,
    settings: Settings,
    options: argparse.Namespace,
) -> None:
    """The commits on standard output; what was left out, and why, beside it."""
    for letter in letters:
        print(f"{letter.sha[:12]} {letter.subject}")
    sys.stdout.flush()
    lines = [text.line(finding) for finding in gated.refused]
    lines += [text.skipped_line(skip) for skip in analysis.skipped]
    lines += [
        f"{s.file}: left out, it could not be compiled: {s.reason}" for s in gated.held
    ]
    lines += [f"{s.file}: left out: {s.reason}" for s in gated.unproven]
    lines += [
        f"{s.file}: taken without being compiled: {s.reason}" for s in gated.uncompiled
    ]
    lines += [
        f"left out, as the branch holds something else there: {c}"
        for c in made.conflicts
    ]
    lines += [f"held by this base already: {subject}" for subject in branch.upstream]
    lines += [f"no longer needed on this base: {subject}" for subject in made.taken]
    lines += [
        f"gone from the branch, as this base and these options make nothing of it: {subject}"
        for subject in made.gone
    ]
    lines += [
        f"{letter.subject}: {complaint}"
        for letter in letters
        for complaint in letter.complaints
    ]
    lines += with_wrong_comments(analysis.filtered, whole=options.paths == [])
    hidden = sum(r.finding.tier not in settings.tiers for r in analysis.rewrites)
    if hidden:
        lines.append(f"{hidden} more in another tier: --tier adds them to the series")
    lines += below_hot([rewrite.finding for rewrite in analysis.rewrites], settings)
    if gated.held:
        lines.append("--allow-uncompiled takes what could not be compiled, too")
    if gated.unproven:
        lines.append(
            "--allow-sampled takes what did the same on all inputs that were tried, "
            "--allow-unproven also what could not be compared"
        )
    dropped = _dropped(analysis, branch)
    if dropped:
        lines.append(f"{text.count(dropped, 'rewrite')} dropped before, not made again")
    where = [f"in the branch {branch.name}"] if options.branch is not None else []
    where += [f"in {options.output}"] if options.output is not None else []
    patches = (
        text.count(len(made.commits), "patch")
        if len(made.commits) == 1
        else f"{len(made.commits)} patches"
    )
    found = f" {' and '.join(where)}" if made.commits else ", nothing was made"
    lines.append(f"{patches} on {made.base[:12]}{found}")
    for line in lines:
        print(line, file=sys.stderr)


def _dropped(analysis: Analysis, branch: Branch) -> int:
    """How many rewrites would be made, had the user not dropped their commits.

    What upstream took disappears from the branch like what was dropped, but is not found any more.
    """
    return sum(
        rewrite_id(analysis.texts[rewrite.finding.file], rewrite) in branch.dropped
        for rewrite in analysis.rewrites
    )
