# SPDX-License-Identifier: GPL-2.0
"""Check that a rewrite adds no violation of a window rule."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence

from hotcocci.c.facts_json import load
from hotcocci.findings import Check, Facts, Report
from hotcocci.pipeline.paths import scratch_tree
from hotcocci.pipeline.settings import Settings
from hotcocci.pipeline.window_reports import window_facts
from hotcocci.rules.rulebook import WINDOW_RULES
from hotcocci.tree.kernel import Tree
from hotcocci.windows import check as windows

NAME = "windows"
# What a rewrite must not add: violations, and helpers that may be out of line
RULES = frozenset(rule.code for rule in WINDOW_RULES if not rule.on_request)
WINDOW = re.compile(r"\buser_\w*access_begin\b|\bscoped_user_\w+|\bunsafe_\w+_user\b")


def window_checks(
    tree: Tree, changes: Sequence[tuple[str, str, str]], settings: Settings
) -> dict[str, Check]:
    """Compare spatch's window reports on each file before and after; returns checks by file.

    ``changes`` are files with their texts. Raises UserError if spatch is missing.
    """
    wanted = [change for change in changes if WINDOW.search(change[2])]
    before = _reports(tree, {file: old for file, old, _ in wanted}, settings)
    after = _reports(tree, {file: new for file, _, new in wanted}, settings)
    checks = {}
    for file, _, _ in wanted:
        if file not in before or file not in after:
            checks[file] = Check(NAME, "skipped", "spatch cannot read the file")
            continue
        fresh = Counter(map(_said, after[file]))
        fresh.subtract(Counter(map(_said, before[file])))
        more = [said for said, count in fresh.items() if count > 0]
        outcome = "failed" if more else "passed"
        checks[file] = Check(NAME, outcome, "\n".join(sorted(more)))
    return checks


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
