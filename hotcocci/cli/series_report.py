# SPDX-License-Identifier: GPL-2.0
"""What ``series`` prints: its commits, and what was left out."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from hotcocci.deliver.assemble import Series
from hotcocci.deliver.parts import rewrite_id
from hotcocci.deliver.series import Branch
from hotcocci.plural import count
from hotcocci.output import text
from hotcocci.output.hidden import below_hot, with_wrong_comments
from hotcocci.pipeline.analysis import Analysis
from hotcocci.pipeline.settings import Settings


def report(
    series: Series,
    branch: Branch,
    settings: Settings,
    where: Sequence[str],
    whole: bool,
) -> None:
    """Print the commits, and on standard error what was left out and why.

    ``where`` says where the series is, ``whole`` is whether all of the tree was analysed.
    """
    analysis, gated, made = series.analysis, series.gated, series.made
    for letter in series.letters:
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
        for letter in series.letters
        for complaint in letter.complaints
    ]
    lines += with_wrong_comments(analysis.filtered, whole)
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
        lines.append(f"{count(dropped, 'rewrite')} dropped before, not made again")
    patches = (
        count(len(made.commits), "patch")
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
