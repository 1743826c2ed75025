# SPDX-License-Identifier: GPL-2.0
"""Run the rules on files: facts, and decisions on them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from hotcocci.findings import Skip
from hotcocci.pipeline.decisions import Asked, decisions
from hotcocci.pipeline.facts import raw_facts, worth_parsing
from hotcocci.pipeline.filtering import allowances
from hotcocci.pipeline.known import Decision, Needs
from hotcocci.pipeline.paths import texts_of
from hotcocci.pipeline.run import Run
from hotcocci.rewrite.options import Options, hot_files
from hotcocci.rules.entry import Rule
from hotcocci.rules.rulebook import Implementation, implementation_of
from hotcocci.tree.kernel import Tree
from hotcocci.tree.mention import Mentions
from hotcocci.tree.select import mentioning

_CALLED = re.compile(r"\b[A-Za-z_]\w*(?=\s*\()")


def decide(
    run: Run, files: Sequence[tuple[Rule, Sequence[str]]], options: Options
) -> tuple[list[Decision], list[Skip]]:
    """Return each rule's decisions on its files, and the files that were skipped."""
    worth = {rule: _worth(run, rule, own, options) for rule, own in files}
    scripts: dict[str, dict[Rule, list[str]]] = {}
    for rule, own in worth.items():
        scripts.setdefault(rule.script, {})[rule] = own
    asked: list[Asked] = []
    skipped: list[Skip] = []
    for sharing in scripts.values():
        seen, missed = raw_facts(run, sharing)
        skipped += missed
        for rule, own in sharing.items():
            facts = {file: seen[file] for file in own if file in seen}
            asked.append(Asked(rule, facts, _options(rule, options)))
    with run.settings.observer.progress("deciding") as show:
        made, missed = decisions(run, asked, show)
    return made, [*skipped, *missed]


def _options(rule: Rule, options: Options) -> Options:
    """The options of one rule's decisions; if the profile does not matter, they are cached regardless of it."""
    hot = options.hot if implementation_of(rule.code).uses_hotness else None
    return replace(options, hot=hot)


def _worth(run: Run, rule: Rule, files: Sequence[str], options: Options) -> list[str]:
    """Return the files that may have matches for a rule."""
    implementation = implementation_of(rule.code)
    options = _options(rule, options)
    if implementation.hot_only and not options.cold:
        files = hot_files(options, files)
        if options.hot is None:
            files = _hot_by_text(run.tree, files, implementation, options)
    worth = worth_parsing(run, rule, files)
    if implementation.uses_hotness and options.hot is not None:
        # Without the profile, the text does not show which functions are hot.
        worth = sorted({*worth, *hot_files(options, files)})
    elif implementation.may_match_hot is not None and not implementation.hot_only:
        more = hot_files(options, sorted({*files} - {*worth}))
        worth = sorted({*worth, *_hot_by_text(run.tree, more, implementation, options)})
    return worth


def _hot_by_text(
    tree: Tree, files: Sequence[str], implementation: Implementation, options: Options
) -> list[str]:
    """Those of the files with hot functions in which these may have matches for the rule."""
    may_match = implementation.may_match_hot
    if may_match is None:
        return [*files]
    texts = texts_of(tree, files)
    return [file for file in files if may_match(texts[file], options.derived[file])]


def shared_out(
    rules: Sequence[Rule], mentioned: Mapping[str, Mentions]
) -> list[tuple[Rule, list[str]]]:
    """The files of each rule, by what they mention."""
    return [
        (rule, mentioning(mentioned, rule.mention))
        for rule in rules
        if rule.mention is not None
    ]


def needs_of(decided: Sequence[Decision]) -> dict[str, Needs]:
    """What the decisions on each file depend on."""
    rules: dict[str, list[str]] = {}
    for decision in decided:
        rules.setdefault(decision.file, []).append(decision.rule)
    return {
        file: Needs(
            includes=True,
            extras=tuple(c for c in codes if implementation_of(c).others),
        )
        for file, codes in rules.items()
    }


def if_hot(
    run: Run, rules: Sequence[Rule], texts: Mapping[str, str], options: Options
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
    made, _ = decide(run, files, hottest)
    findings = (finding for decision in made for finding in decision.findings)
    return frozenset((f.file, f.rule, f.line) for f in findings)
