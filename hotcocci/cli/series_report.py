# SPDX-License-Identifier: GPL-2.0
"""Print the commits of a series, and what was left out."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from hotcocci.deliver.assemble import Series
from hotcocci.deliver.choose import MOST
from hotcocci.deliver.parts import Patch, rewrite_id
from hotcocci.deliver.series import Branch
from hotcocci.names import quoted
from hotcocci.plural import count
from hotcocci.output import text
from hotcocci.output.hidden import below_hot, not_offered, with_wrong_comments
from hotcocci.pipeline.analysis import Analysis
from hotcocci.pipeline.settings import Settings


def report(
    series: Series,
    branch: Branch,
    settings: Settings,
    where: Sequence[str],
    whole: bool,
    following: str,
) -> None:
    """Print the commits and, on standard error, what was left out and why.

    ``where`` names the branch and the directory, ``whole`` is whether the whole tree was analysed.
    ``following`` is the command that makes the next thread of patches.
    """
    analysis, choice, made = series.analysis, series.choice, series.made
    gated = choice.gated
    for letter in series.letters:
        print(f"{letter.sha[:12]} {letter.subject}")
    sys.stdout.flush()
    lines = [text.line(finding) for finding in gated.refused]
    lines += [text.skipped_line(skip) for skip in analysis.skipped]
    lines += [
        f"{quoted(s.file)}: left out, as it could not be compiled: {s.reason}"
        for s in gated.held
    ]
    lines += [f"{quoted(s.file)}: left out: {s.reason}" for s in gated.unproven]
    lines += [
        f"{quoted(s.file)}: included without compiling it: {s.reason}"
        for s in gated.uncompiled
    ]
    lines += [
        f"left out, as its own table shows no gain: {_named(patch)}"
        for patch in choice.idle
    ]
    lines += [
        f"{quoted(f.file)}:{f.line}: left for a later series: {f.rule} in {f.function}(), which another patch changes"
        for f in choice.shared
    ]
    lines += [f"left out, as it conflicts with the branch: {c}" for c in made.conflicts]
    lines += [f"already in the base: {subject}" for subject in branch.upstream]
    lines += [f"no longer needed on this base: {subject}" for subject in made.taken]
    lines += [
        f"removed from the branch, as this base and these options give no such patch: {subject}"
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
        lines.append(
            f"{count(hidden, 'rewrite')} omitted by tier: --tier adds them to the series"
        )
    lines += not_offered(analysis.findings)
    lines += below_hot([rewrite.finding for rewrite in analysis.rewrites], settings)
    if gated.held:
        lines.append(
            "use --allow-uncompiled to include files that could not be compiled"
        )
    if gated.unproven:
        lines.append("use --allow-unproven to include files that are not proven")
    dropped = _dropped(analysis, branch)
    if dropped:
        lines.append(
            f"{count(dropped, 'rewrite')} dropped by you earlier, still left out"
        )
    if choice.later:
        patches = [_named(patch) for patch in choice.later]
        lines += [f"left for a further thread: {name}" for name in patches]
        lines.append(f"to make the next {min(MOST, len(patches))}: {following}")
    total = (
        count(len(made.commits), "patch")
        if len(made.commits) == 1
        else f"{len(made.commits)} patches"
    )
    found = f" {' and '.join(where)}" if made.commits else ": nothing written"
    lines.append(f"{total} on {made.base[:12]}{found}")
    for line in lines:
        print(line, file=sys.stderr)


def _named(patch: Patch) -> str:
    files = ", ".join(part.file for part in patch.parts)
    return f"{patch.subsystem} ({patch.rule}): {files}"


def _dropped(analysis: Analysis, branch: Branch) -> int:
    """Count the rewrites that are left out because the user dropped their commits.

    A commit that upstream took also disappears from the branch, but its rewrite is not found any more.
    """
    return sum(
        rewrite_id(analysis.texts[rewrite.finding.file], rewrite) in branch.dropped
        for rewrite in analysis.rewrites
    )
