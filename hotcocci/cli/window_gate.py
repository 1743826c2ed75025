# SPDX-License-Identifier: GPL-2.0
"""The window checkers as part of the gate: no rewrite may bring a violation that was not there."""

from __future__ import annotations

import argparse
import re
import tempfile
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

from hotcocci.c.facts_json import load
from hotcocci.cache import Cache
from hotcocci.cli.inputs import CHECKOUT, modules_of
from hotcocci.engines import spatch
from hotcocci.findings import Check, Facts, Report
from hotcocci.rules.entry import WINDOW_SCRIPT
from hotcocci.rules.rulebook import WINDOW_RULES
from hotcocci.tree.kernel import Tree
from hotcocci.tree.source import encode
from hotcocci.windows import check as windows

NAME = "windows"
# What `check` looks for by itself.
RULES = frozenset(rule.code for rule in WINDOW_RULES if not rule.on_request)
WINDOW = re.compile(r"\buser_\w*access_begin\b|\bscoped_user_\w+|\bunsafe_\w+_user\b")


def window_checks(
    tree: Tree, changes: Sequence[tuple[str, str, str]], args: argparse.Namespace
) -> dict[str, Check]:
    """What the source's shape shows of the windows of each file, before and after, by file.

    ``changes`` are files with their texts. Raises UserError if spatch is missing.
    """
    wanted = [change for change in changes if WINDOW.search(change[2])]
    before = _reports(tree, {file: old for file, old, _ in wanted}, args)
    after = _reports(tree, {file: new for file, _, new in wanted}, args)
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
    """A report without its line, which moves."""
    return f"{report.rule} in {report.function}(): {report.message}"


def _reports(
    tree: Tree, texts: Mapping[str, str], args: argparse.Namespace
) -> dict[str, tuple[Report, ...]]:
    """What is reported on each file as it is given; files that spatch cannot read are left out."""
    script = CHECKOUT / WINDOW_SCRIPT
    options = windows.Options(tree.root, not tree.features.masked_directed)
    with tempfile.TemporaryDirectory(prefix="hotcocci-windows-") as folder:
        copy = Tree(Path(folder).resolve(), tree.features)
        for file, text in texts.items():
            path = copy.root / file
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(encode(text))
        with Cache(args.cache_dir) as cache:
            facts, _ = spatch.facts(
                copy,
                script,
                list(texts),
                cache,
                args.jobs,
                args.timeout,
                extra_inputs=modules_of(script),
            )
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
