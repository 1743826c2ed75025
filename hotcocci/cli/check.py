# SPDX-License-Identifier: GPL-2.0
"""``check PATH…``: the window checkers."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hotcocci.cache import Cache
from hotcocci.cli import shapes
from hotcocci.cli.analyse import changed_files, check_outside, texts_of, trees
from hotcocci.cli.known import one_tree, read_baseline, write_baseline
from hotcocci.cli.options import (
    add_baseline,
    add_baseline_writing,
    add_diff_base,
    add_paths,
    add_running,
    touched_by,
)
from hotcocci.cli.reports import (
    DOCUMENTS,
    OF_VIOLATIONS,
    TEXT,
    check_trees,
    of_violations,
)
from hotcocci.cli.units import look_at_units
from hotcocci.errors import UserError
from hotcocci.findings import Report, Skip
from hotcocci.output import text
from hotcocci.rules.entry import ENGINES, SPATCH
from hotcocci.rules.rulebook import WINDOW_RULES, rule
from hotcocci.tree.kernel import Tree
from hotcocci.tree.select import ALLOWANCE, WINDOW, mentioning, mentions
from hotcocci.tree.source import decode
from hotcocci.tree.touched import Touched
from hotcocci import baseline
from hotcocci.windows.merge import Violation, merge
from hotcocci.windows.suppressions import suppress


@dataclass(frozen=True)
class Checked:
    """What the engines found in one tree, and what they could not look at."""

    tree: Tree
    violations: tuple[Violation, ...]
    skipped: tuple[Skip, ...]
    texts: dict[str, str]


def add(commands: Any) -> None:
    """Register the command."""
    parser = commands.add_parser(
        "check",
        help="the window checkers",
        description=(
            "Validates user access windows, hand-written or generated. "
            "Exit code: 0 nothing found, 1 violations, 2 error."
        ),
    )
    add_paths(parser)
    add_running(parser)
    parser.add_argument(
        "--rule",
        action="append",
        default=[],
        metavar="CODE",
        help="only this rule; may be repeated",
    )
    parser.add_argument(
        "--engine",
        action="append",
        choices=ENGINES,
        default=[],
        help="only this engine; may be repeated (default: all that are installed)",
    )
    add_baseline(parser)
    add_baseline_writing(parser)
    add_diff_base(parser)
    parser.add_argument(
        "--format",
        choices=OF_VIOLATIONS,
        default=TEXT,
        help="how to print (default: %(default)s)",
    )
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Print the violations; returns the exit code."""
    rules = _rules(options.rule)
    chosen = trees(options.paths)
    one_tree(chosen, options)
    check_trees(options.format, [tree for tree, _ in chosen])
    found = False
    for tree, paths in chosen:
        known = read_baseline(tree, paths, rules, options)
        checked = check(tree, paths, rules, options)
        violations: Sequence[Violation] = checked.violations
        if options.write_baseline:
            write_baseline(
                options.write_baseline, violations, checked.texts, "violation"
            )
            continue
        gone = 0
        if known is not None:
            violations, gone = baseline.new(violations, known, checked.texts)
        found = found or bool(violations)
        _print(checked, violations, options.format)
        # What a change does not touch is not looked at.
        if gone and options.diff_base is None:
            print(
                f"{text.count(gone, 'violation')} of the baseline {'is' if gone == 1 else 'are'} "
                "gone: write it anew with --write-baseline",
                file=sys.stderr,
            )
    return 1 if found else 0


def check(
    tree: Tree,
    paths: Sequence[Path],
    rules: frozenset[str],
    options: argparse.Namespace,
) -> Checked:
    """Look at all files at and below the paths that mention a window."""
    check_outside(options.cache_dir, tree)
    touched = touched_by(tree, options)
    if touched is not None:
        paths = changed_files(tree, paths, touched)
    engines = tuple(options.engine or ENGINES)
    reports: list[Report] = []
    with Cache(options.cache_dir) as cache:
        mentioned, skipped = mentions(tree, paths, cache)
        texts, missed = _read(tree, mentioning(mentioned, WINDOW))
        skipped += missed
        if SPATCH in engines:
            made, missed = shapes.look(tree, texts, cache, options)
            reports += made
            skipped += missed
        others = [engine for engine in engines if engine != SPATCH]
        if others and texts:
            made, missed = look_at_units(tree, texts, others, cache, options)
            reports += made
            skipped += missed
    wanted = [r for r in reports if r.rule in rules and r.file in texts]
    commented = texts_of(tree, mentioning(mentioned, ALLOWANCE)) | texts
    failed = _failed(skipped, commented)
    left, wrong = suppress(merge(wanted), commented, engines, failed)
    violations = [*left, *(v for v in wrong if rules > {v.rule} or not options.rule)]
    if touched is not None:
        violations = [v for v in violations if _is_touched(v, touched)]
    return Checked(
        tree,
        tuple(sorted(violations, key=lambda v: (v.file, v.line, v.rule))),
        tuple(sorted(set(skipped), key=lambda s: (s.file, s.reason))),
        texts,
    )


def _is_touched(violation: Violation, touched: Mapping[str, Touched]) -> bool:
    """Whether a change touches a violation, or what its notes explain it by."""
    change = touched.get(violation.file)
    if change is None:
        return False
    lines = [n.line for n in violation.notes if n.file == violation.file]
    lines.append(violation.line)
    return any(change.touches(line, line) for line in lines) or change.cuts_within(
        min(lines), max(lines)
    )


def _failed(skipped: Sequence[Skip], texts: Mapping[str, str]) -> dict[str, set[str]]:
    """The engines that could not look at a file: a skip's reason begins with them."""
    failed: dict[str, set[str]] = {}
    for skip in skipped:
        for file in texts if skip.file == "." else [skip.file]:
            engines = skip.reason.partition(":")[0].split(", ")
            failed.setdefault(file, set()).update(engines)
    return failed


def _rules(codes: Sequence[str]) -> frozenset[str]:
    """The rules asked for; without any, all but those that are checked on request only."""
    if not codes:
        return frozenset(r.code for r in WINDOW_RULES if not r.on_request)
    chosen = [rule(code) for code in codes]
    for entry in chosen:
        if entry not in WINDOW_RULES:
            raise UserError(f"{entry.code} is a rule of accesses: see 'lint --help'")
    return frozenset(entry.code for entry in chosen)


def _read(tree: Tree, files: Sequence[str]) -> tuple[dict[str, str], list[Skip]]:
    texts: dict[str, str] = {}
    skipped = []
    for file in files:
        try:
            texts[file] = decode((tree.root / file).read_bytes())
        except OSError as error:
            skipped.append(Skip(file, f"cannot be read: {error.strerror}"))
    return texts, skipped


def _print(checked: Checked, violations: Sequence[Violation], form: str) -> None:
    show = text.shown_from(checked.tree.root, Path.cwd())
    if form == TEXT:
        lines = [line for v in violations for line in text.violation(v, show)]
    else:
        # A comment that allows nothing may be where there is no window.
        others = {v.file for v in violations} - checked.texts.keys()
        texts = checked.texts | texts_of(checked.tree, sorted(others))
        report = of_violations(form, checked.tree, violations, checked.skipped, texts)
        lines = [report] if report else []
    for line in lines:
        print(line)
    if form in DOCUMENTS:
        return
    for skip in checked.skipped:
        print(text.skipped_line(skip, show), file=sys.stderr)
    files = len({violation.file for violation in violations})
    print(
        f"{text.count(len(violations), 'violation')} in {text.count(files, 'file')}, "
        f"{text.count(len(checked.texts), 'file')} with windows looked at",
        file=sys.stderr,
    )
