# SPDX-License-Identifier: GPL-2.0
"""Check that a rewrite adds no violation of a window rule."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence

from hotcocci.c.matches import load
from hotcocci.findings import Check, Facts, Report
from hotcocci.pipeline.paths import scratch_tree
from hotcocci.pipeline.settings import Settings
from hotcocci.pipeline.window_reports import window_facts
from hotcocci.proof.gate import Change
from hotcocci.rules.rulebook import WINDOW_RULES
from hotcocci.tree.kernel import Tree
from hotcocci.windows import check as windows

NAME = "windows"
# What a rewrite must not add: violations, and helpers that may be out of line
RULES = frozenset(rule.code for rule in WINDOW_RULES if not rule.on_request)
WINDOW = re.compile(r"\buser_\w*access_begin\b|\bscoped_user_\w+|\bunsafe_\w+_user\b")


def window_checks(
    tree: Tree, changes: Sequence[Change], settings: Settings
) -> dict[str, Check]:
    """Compare spatch's window reports on each file before and after; returns checks by changed file.

    The check of a file is also that of the others that it needs changed. Raises UserError if spatch is
    missing.
    """
    texts = {
        file: (old, new)
        for change in changes
        for file, old, new in _texts(change)
        if WINDOW.search(new)
    }
    before = _reports(tree, {file: old for file, (old, _) in texts.items()}, settings)
    after = _reports(tree, {file: new for file, (_, new) in texts.items()}, settings)
    checks = {}
    for change in changes:
        files = [file for file, _, _ in _texts(change) if file in texts]
        if not files:
            continue
        if any(file not in before or file not in after for file in files):
            checks[change.file] = Check(NAME, "skipped", "spatch cannot read the file")
            continue
        fresh = Counter(_said(report) for file in files for report in after[file])
        fresh.subtract(_said(report) for file in files for report in before[file])
        more = [said for said, count in fresh.items() if count > 0]
        outcome = "failed" if more else "passed"
        checks[change.file] = Check(NAME, outcome, "\n".join(sorted(more)))
    return checks


def _texts(change: Change) -> list[tuple[str, str, str]]:
    """The files that a change touches, before and after."""
    others = ((other.file, other.old, other.new) for other in change.others)
    return [(change.file, change.old, change.new), *others]


def _said(report: Report) -> str:
    """Return a report without its line number, which may change."""
    return f"{report.rule} in {report.function}(): {report.message}"


def _reports(
    tree: Tree, texts: Mapping[str, str], settings: Settings
) -> dict[str, tuple[Report, ...]]:
    """Return the reports on each file; files that spatch cannot parse are left out."""
    options = windows.Options(tree.root, not tree.features.masked_directed)
    with (
        scratch_tree(tree, texts) as copy,
        settings.open_cache() as cache,
        settings.observer.progress("checking windows") as show,
    ):
        facts, _ = window_facts(copy, texts, cache, settings, show)
    found = {
        file: windows.check(
            texts[file], load(seen, file) if seen else Facts(file), options
        )[0]
        for file, seen in facts.items()
    }
    return {
        file: tuple(report for report in reports if report.rule in RULES)
        for file, reports in found.items()
    }
