# SPDX-License-Identifier: GPL-2.0
"""``lint PATH…``: list findings."""

import argparse
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from hotcocci.cli.options import (
    add,
    add_analysis,
    add_format,
    add_named,
    add_tier,
    patches_in,
    settings_of,
    text_of,
    touched_by,
    trees_of,
    write_baseline,
)
from hotcocci.cli.reports import (
    DOCUMENTS,
    OF_FINDINGS,
    TEXT,
    check_read,
    check_trees,
    document,
    show,
)
from hotcocci.cli.terminal import say
from hotcocci.findings import MANUAL, Finding
from hotcocci.output import text
from hotcocci.output.text import below_hot, filtered_out, not_sampled
from hotcocci.pipeline.analysis import Analysis, analyse
from hotcocci.pipeline.filtering import NOT_ASKED, decides, is_actionable, why_left
from hotcocci.pipeline.ranking import is_kept, is_sampled, worth_guessed
from hotcocci.pipeline.settings import tiers_up_to

GUESSED = (
    "the order is an estimate: cycles saved times how often the function runs; "
    "use --profile FILE to order by samples"
)


def define(parser: argparse.ArgumentParser) -> None:
    """Add the description and options of the command to its parser."""
    parser.description = (
        "List findings. Exit code: 0 nothing is worth a change, 1 something is, or --show cold or all lists "
        "something, 2 error."
    )
    add(parser, "paths")
    add_analysis(parser, reports=True)
    add(parser, "--write-baseline", "--diff-base", "--diff", "--stdin")
    add_tier(parser, None, "list only rewrites up to this tier (default: prepared)")
    add_format(parser, OF_FINDINGS)
    text = "list the most promising findings first, by profile or, without one, by an estimate"
    add_named(parser, {"--rank": text})


def run(options: argparse.Namespace) -> int:
    """Print the findings; returns the exit code."""
    # What was left alone for being cold is asked for, too.
    settings = settings_of(options)
    reports = settings.show == "all"
    settings = replace(settings, cold=reports)
    edited = text_of(options)
    chosen = trees_of(options, edited)
    check_trees(options, chosen)
    patches = [patch for name in options.diff for patch in patches_in(name)]
    part = options.diff_base is not None or bool(patches)
    found = False
    unread: list[str] = []
    for tree, paths in chosen:
        if edited is not None:
            # Most runs have no text or patch.
            from hotcocci.pipeline.analysis import analyse_text

            analysis = analyse_text(tree, paths[0], edited, settings)
        elif patches:
            from hotcocci.pipeline.analysis import analyse_patched

            analysis = analyse_patched(tree, paths, patches, settings)
        else:
            touched = touched_by(tree, options.diff_base)
            analysis = analyse(tree, paths, settings, touched)
        every = wanted(analysis.findings, options.tier, reports)
        # A baseline is for --show all, too.
        whole = reports or options.write_baseline or options.tier == MANUAL
        shown = [f for f in every if whole or is_actionable(f, settings)]
        left = Counter(
            why_left(f) or NOT_ASKED for f in set(analysis.findings) - set(shown)
        )
        kept = [finding for finding in shown if is_kept(finding, settings)]
        findings = [f for f in kept if reports or is_sampled(f, settings)]
        if options.write_baseline:
            write_baseline(
                options.write_baseline, findings, analysis.sources, "finding"
            )
            continue
        aside = [*below_hot(shown, settings), *not_sampled(len(kept) - len(findings))]
        aside += filtered_out(analysis.filtered, whole=not part)
        if options.rank and options.profile is None:
            findings.sort(key=worth_guessed, reverse=True)
            aside.append(GUESSED)
        found = found or any(settings.churn or decides(f) for f in findings)
        unread += text.unread(analysis.unread, tree.root)
        new = (part or edited is not None) and not options.quiet
        _print(analysis, findings, options, new, left)
        if options.format not in DOCUMENTS and not options.quiet:
            aside.append(text.summary(findings, analysis.skipped, left))
        say(*aside)
    check_read(unread)
    return 1 if found else 0


def wanted(
    findings: Sequence[Finding], tier: str | None, reports: bool
) -> list[Finding]:
    """The findings that may be shown under ``--tier``: rewrites, advice, and with ``reports`` also other reports."""
    if tier is None:
        return list(findings)
    tiers = tiers_up_to(tier)
    return [
        f
        for f in findings
        if f.tier in tiers or f.tier is None and (reports or not why_left(f))
    ]


def _print(
    analysis: Analysis,
    findings: Sequence[Finding],
    options: argparse.Namespace,
    new: bool,
    left: Counter[str],
) -> None:
    """Print the findings; each in ``new`` code is followed by the code to write.

    ``left`` counts what is not shown, by reason.
    """
    form, tree, skipped = options.format, analysis.tree, analysis.skipped
    if form == TEXT:
        name, profiled = text.shown_from(tree.root), options.profile is not None
        lines = [
            line
            for finding in findings
            for line in (
                text.line(finding, name, profiled),
                *(_to_write(finding, analysis) if new else ()),
            )
        ]
    else:
        found = (findings, skipped, analysis.sources, analysis.rewrites)
        lines = [document("lint", form, tree, *found, left)]
    show(lines, form, tree, skipped)


def _to_write(finding: Finding, analysis: Analysis) -> list[str]:
    """The hunks of a finding's rewrite, indented; none for a report."""
    lines = []
    for rewrite in analysis.rewrites:
        if rewrite.finding == finding:
            patch = text.patch_of(rewrite, analysis.texts)
            hunks = patch[patch.index("\n@@") + 1 :]
            lines += [f"  {line}" for line in hunks.splitlines()]
    return lines
