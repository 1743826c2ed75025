# SPDX-License-Identifier: GPL-2.0
"""From paths to findings and rewrites."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from hotcocci.c import excerpt
from hotcocci.pipeline.allowances import allowances
from hotcocci.cache import Cache
from hotcocci.errors import UserError
from hotcocci.findings import Finding, Rewrite, Skip
from hotcocci.pipeline.accessors import accessors
from hotcocci.pipeline.decisions import Asked, Decision, decisions
from hotcocci.pipeline.facts import raw_facts, worth_parsing
from hotcocci.pipeline.filtering import Filtered, filter_findings, read_baseline
from hotcocci.rewrite.overlaps import resolve_overlaps
from hotcocci.pipeline.paths import changed_files, check_outside, texts_of
from hotcocci.pipeline.ranking import heat, hot_functions, profile_of, rated
from hotcocci.pipeline.settings import Settings, chosen_rules
from hotcocci.rewrite.hot import hot_files
from hotcocci.rewrite.options import Options, options_of
from hotcocci.rules.entry import Rule
from hotcocci.rules.implementation import implementation_of
from hotcocci.tree import select
from hotcocci.tree.kernel import Tree
from hotcocci.tree.select import ALLOWANCE, mentioning, mentions
from hotcocci.tree.touched import Touched

# What an excerpt of a file has left of it.
_OF_EXCERPTS = (Path(excerpt.__file__), Path(select.__file__))
_CALLED = re.compile(r"\b[A-Za-z_]\w*(?=\s*\()")


@dataclass(frozen=True)
class Analysis:
    """The findings in one tree and their rewrites, ordered by profile samples, then by file and line.

    ``rewrites`` belong to the findings whose verdict is rewrite; ``texts`` has the text of each file
    with a rewrite, which its edits apply to. ``unseen`` has, by file, the lines of accesses that
    spatch did not see, which are also in ``skipped``. ``possible`` are the rewrites of all findings,
    including those that ``filtered`` left out. ``sources`` are the texts of all files that may have
    findings.
    """

    tree: Tree
    findings: tuple[Finding, ...]
    rewrites: tuple[Rewrite, ...]
    skipped: tuple[Skip, ...]
    texts: dict[str, str]
    unseen: dict[str, tuple[int, ...]]
    possible: tuple[Rewrite, ...]
    filtered: Filtered
    sources: dict[str, str]


def analyse(
    tree: Tree,
    paths: Sequence[Path],
    settings: Settings,
    touched: Mapping[str, Touched] | None = None,
    around: Tree | None = None,
) -> Analysis:
    """Run the rules on files at and below the paths.

    With ``touched``, only findings in lines that a change touches are shown. ``around`` is the whole
    tree if ``tree`` is an overlay. Raises UserError for settings that do not fit the tree or each other.
    """
    rules = chosen_rules(settings.rules)
    known = read_baseline(tree, paths, [rule.code for rule in rules], settings)
    if touched is not None:
        paths = changed_files(tree, paths, touched)
    options = options_for(tree, settings)
    check_outside(settings.cache_dir, tree)
    profile = profile_of(settings)
    with settings.open_cache() as cache:
        mentioned, skipped = mentions(tree, paths, cache)
        files = [
            (rule, mentioning(mentioned, implementation_of(rule.code).mention))
            for rule in rules
        ]
        made, missed = decide(tree, files, options, cache, settings, around)
        skipped += missed
        commented = texts_of(tree, mentioning(mentioned, ALLOWANCE))
        if_hot = _if_hot(tree, rules, commented, options, cache, settings, around)
    if profile is not None:
        made = [rated(decision, profile) for decision in made]
    rewrites = sorted(
        (rewrite for decision in made for rewrite in decision.rewrites),
        key=lambda rewrite: _order(rewrite.finding),
    )
    failed = {skip.file for skip in skipped} | {d.file for d in made if d.unseen}
    filtered = filter_findings(
        made,
        commented,
        {rule.code: mentioned.keys() - failed for rule in rules},
        if_hot,
        touched,
        known,
    )
    shown = set(filtered.shown)
    made_at_once, overlapping = resolve_overlaps(
        [r for r in rewrites if r.finding in shown]
    )
    findings = [overlapping.get(finding, finding) for finding in filtered.shown]
    unseen = {decision.file: decision.unseen for decision in made if decision.unseen}
    skipped += [_missed(file, lines) for file, lines in unseen.items()]
    return Analysis(
        tree,
        tuple(sorted(findings, key=_order)),
        made_at_once,
        tuple(sorted(dict.fromkeys(skipped), key=lambda s: (s.file, s.reason))),
        {decision.file: decision.text for decision in made if decision.rewrites},
        unseen,
        tuple(rewrites),
        filtered,
        commented | {decision.file: decision.text for decision in made},
    )


def decide(
    tree: Tree,
    files: Sequence[tuple[Rule, Sequence[str]]],
    options: Options,
    cache: Cache,
    settings: Settings,
    around: Tree | None = None,
) -> tuple[list[Decision], list[Skip]]:
    """Return each rule's decisions on its files, and the files that were skipped."""
    asked: list[Asked] = []
    skipped: list[Skip] = []
    for rule, own in files:
        what, missed = _asked(tree, rule, own, options, cache, settings, around or tree)
        asked.append(what)
        skipped += missed
    return decisions(tree, asked, cache, settings.jobs), skipped


def _asked(
    tree: Tree,
    rule: Rule,
    files: Sequence[str],
    options: Options,
    cache: Cache,
    settings: Settings,
    around: Tree,
) -> tuple[Asked, list[Skip]]:
    """Return the input of one rule's decisions, and the files that were skipped."""
    implementation = implementation_of(rule.code)
    if not implementation.uses_hotness:
        # Decisions are cached regardless of the profile.
        options = replace(options, hot=None)
    if implementation.hot_only and not options.cold:
        files = hot_files(tree.root, files, options.hot)
    if implementation.accessors and files:
        known = accessors(around, files, cache, settings.jobs)
        options = replace(options, accessors=known)
    worth = worth_parsing(tree, rule, files, cache)
    if implementation.uses_hotness and options.hot is not None:
        # Without the profile, the text does not show which functions are hot.
        worth = sorted({*worth, *hot_files(tree.root, files, options.hot)})
    # A semantic patch does not know the profile.
    everywhere = options.hot is not None
    seen, skipped = raw_facts(tree, rule, worth, cache, settings, everywhere)
    return Asked(rule, seen, options), skipped


def _if_hot(
    tree: Tree,
    rules: Sequence[Rule],
    texts: Mapping[str, str],
    options: Options,
    cache: Cache,
    settings: Settings,
    around: Tree | None,
) -> frozenset[tuple[str, str, int]]:
    """Return locations (file, rule, line) that would be findings with some profile.

    ``texts`` are the files with comments that allow findings: such a comment is not unused just because
    this profile does not show its function.
    """
    named = {file: {a.rule for a in allowances(text)} for file, text in texts.items()}
    files = [
        (rule, [file for file, codes in named.items() if rule.code in codes])
        for rule in rules
        if implementation_of(rule.code).uses_hotness
    ]
    files = [(rule, own) for rule, own in files if own]
    if not files:
        return frozenset()
    called = {name for text in texts.values() for name in _CALLED.findall(text)}
    hottest = replace(options, cold=True, hot=frozenset(called))
    made, _ = decide(tree, files, hottest, cache, settings, around)
    findings = (finding for decision in made for finding in decision.findings)
    return frozenset((f.file, f.rule, f.line) for f in findings)


def _missed(file: str, lines: Sequence[int]) -> Skip:
    """Return a skip for lines of a file that spatch did not see."""
    numbers = ", ".join(map(str, lines))
    what = "line" if len(lines) == 1 else "lines"
    return Skip(file, f"{what} {numbers}: spatch could not parse the surrounding code")


def options_for(tree: Tree, settings: Settings) -> Options:
    """Return what decisions depend on: the tree's features and the settings.

    Raises UserError if the tree does not have the API asked for.
    """
    has = {"scoped": tree.features.scoped, "masked": tree.features.masked}
    if not has.get(settings.api, True):
        raise UserError(
            f"{tree.root} has no {settings.api} windows: omit --api, or use another one"
        )
    options = options_of(
        tree.root,
        tree.features,
        settings.api,
        settings.min_run,
        hot_functions(settings),
    )
    return replace(options, cold=settings.cold)


def _order(finding: Finding) -> tuple[float, str, int, str]:
    return -heat(finding), finding.file, finding.line, finding.rule
