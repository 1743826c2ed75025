# SPDX-License-Identifier: GPL-2.0
"""Find violations of the window rules with all engines."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from hotcocci import baseline
from hotcocci.errors import UserError
from hotcocci.findings import ENGINES, Report, SPATCH, Skip
from hotcocci.pipeline.filtering import read_baseline
from hotcocci.pipeline.paths import changed_files, check_outside, texts_of
from hotcocci.pipeline.settings import Settings
from hotcocci.pipeline.unit_engines import unit_reports
from hotcocci.pipeline.window_reports import window_reports
from hotcocci.rules.rulebook import WINDOW_RULES, rule
from hotcocci.tree.kernel import Tree
from hotcocci.tree.select import ALLOWANCE, WINDOW, mentioning, mentions
from hotcocci.tree.source import decode
from hotcocci.tree.touched import Touched
from hotcocci.windows.merge import Violation, merge
from hotcocci.pipeline.suppressions import suppress


@dataclass(frozen=True)
class Checked:
    """The violations in one tree, and the files that an engine could not check.

    ``texts`` are the files with windows, ``gone`` counts the entries of the baseline that no longer occur.
    """

    tree: Tree
    violations: tuple[Violation, ...]
    skipped: tuple[Skip, ...]
    texts: dict[str, str]
    gone: int = 0


def check(
    tree: Tree,
    paths: Sequence[Path],
    settings: Settings,
    touched: Mapping[str, Touched] | None = None,
) -> Checked:
    """Check all windows in files at and below the paths; ``touched`` selects changed lines only.

    Raises UserError for an unknown rule, a requested engine that is missing, or a baseline that cannot
    be read.
    """
    rules = checked_rules(settings.rules, settings.hygiene)
    known = read_baseline(tree, paths, rules, settings)
    check_outside(settings.cache_dir, tree)
    if touched is not None:
        paths = changed_files(tree, paths, touched)
    engines = tuple(settings.engines or ENGINES)
    reports: list[Report] = []
    with settings.open_cache() as cache:
        mentioned, skipped = mentions(tree, paths, cache)
        texts, missed = _read(tree, mentioning(mentioned, WINDOW))
        skipped += missed
        if SPATCH in engines:
            made, missed = window_reports(tree, texts, cache, settings)
            reports += made
            skipped += missed
        others = [engine for engine in engines if engine != SPATCH]
        if others and texts:
            made, missed = unit_reports(tree, texts, others, cache, settings)
            reports += made
            skipped += missed
    wanted = [r for r in reports if r.rule in rules and r.file in texts]
    commented = texts_of(tree, mentioning(mentioned, ALLOWANCE)) | texts
    failed = _failed(skipped, commented)
    left, wrong = suppress(merge(wanted), commented, engines, failed)
    violations = [*left, *(v for v in wrong if rules > {v.rule} or not settings.rules)]
    if touched is not None:
        violations = [v for v in violations if _is_touched(v, touched)]
    violations = per_cause(violations)
    violations.sort(key=lambda v: (v.file, v.line, v.rule))
    gone = 0
    if known is not None:
        violations, gone = baseline.new(violations, known, texts)
    return Checked(
        tree,
        tuple(violations),
        tuple(sorted(set(skipped), key=lambda s: (s.file, s.reason))),
        texts,
        gone,
    )


def _is_touched(violation: Violation, touched: Mapping[str, Touched]) -> bool:
    """Whether a change touches a violation or a line of its notes."""
    change = touched.get(violation.file)
    if change is None:
        return False
    lines = [n.line for n in violation.notes if n.file == violation.file]
    lines.append(violation.line)
    return any(change.touches(line, line) for line in lines) or change.cuts_within(
        min(lines), max(lines)
    )


def _failed(skipped: Sequence[Skip], texts: Mapping[str, str]) -> dict[str, set[str]]:
    """Return the engines that failed on a file, which a skip's reason starts with."""
    failed: dict[str, set[str]] = {}
    for skip in skipped:
        for file in texts if skip.file == "." else [skip.file]:
            engines = skip.reason.partition(":")[0].split(", ")
            failed.setdefault(file, set()).update(engines)
    return failed


def checked_rules(codes: Sequence[str], hygiene: bool) -> frozenset[str]:
    """Return the window rules with these codes; without codes, all that are not only on request.

    Rules of ``hygiene`` are on request unless it is asked for.

    Raises UserError for an unknown code or the code of a rewrite rule.
    """
    if not codes:
        return frozenset(
            r.code
            for r in WINDOW_RULES
            if not r.on_request and (hygiene or not r.hygiene)
        )
    chosen = [rule(code) for code in codes]
    for entry in chosen:
        if entry not in WINDOW_RULES:
            raise UserError(f"{entry.code} is not a window rule: see 'lint --help'")
    return frozenset(entry.code for entry in chosen)


def per_cause(violations: Sequence[Violation]) -> list[Violation]:
    """Report advice once for each helper, where it is first met, with the number of its calls."""
    kept = [v for v in violations if not rule(v.rule).hygiene]
    causes: dict[tuple[str, str], list[Violation]] = {}
    for violation in violations:
        if rule(violation.rule).hygiene:
            cause = (violation.rule, violation.message)
            causes.setdefault(cause, []).append(violation)
    for (_, message), several in causes.items():
        if len(several) > 1:
            message += f" ({len(several)} such calls)"
        kept.append(replace(several[0], message=message))
    return kept


def _read(tree: Tree, files: Sequence[str]) -> tuple[dict[str, str], list[Skip]]:
    texts: dict[str, str] = {}
    skipped = []
    for file in files:
        try:
            texts[file] = decode((tree.root / file).read_bytes())
        except OSError as error:
            skipped.append(Skip(file, f"cannot be read: {error.strerror}"))
    return texts, skipped
