# SPDX-License-Identifier: GPL-2.0
"""Run the rules on files: facts, and decisions on them, each remembered as it is made.

Parsing a large file takes longer than the rest of a second run, and the result depends only on the
text, the facts, the options and our own code.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from hotcocci.c import ask
from hotcocci.c.ask import compiler_state, remembering
from hotcocci.c.functions import without_functions
from hotcocci.c.matches import load
from hotcocci.c.model import Layout
from hotcocci.cache import recalled, remembered
from hotcocci.findings import Finding, Rewrite, Skip
from hotcocci.pipeline.facts import raw_facts, worth_parsing
from hotcocci.pipeline.filtering import allowances
from hotcocci.pipeline.fingerprint import fingerprint, key, modules_of
from hotcocci.pipeline.known import Decision, Needs, asked_of, from_json, to_json
from hotcocci.pipeline.paths import texts_of
from hotcocci.pipeline.run import Reached, Run
from hotcocci.pipeline.settings import Step
from hotcocci.pool import Failure, spread
from hotcocci.proof.estimate import with_saves
from hotcocci.records import rebuilt
from hotcocci.rewrite.layout import styled, unix, with_ends_of
from hotcocci.rewrite.options import Options, hot_files
from hotcocci.rules.entry import Rule
from hotcocci.rules.rulebook import (
    Implementation,
    implementation_of,
    load_decision,
    module_of,
)
from hotcocci.tree.kernel import Tree
from hotcocci.tree.source import code_of, encode

# Below this number of files a second process costs more than it saves.
WORTH_A_PROCESS = 40

# A rule's code and a file
Place = tuple[str, str]
Layouts = dict[str, Layout | None]


@dataclass(frozen=True)
class Asked:
    """The input of one rule's decisions: ``seen`` are spatch's facts by file, empty if it matched nothing."""

    rule: Rule
    seen: Mapping[str, dict[str, Any]]
    options: Options


@dataclass(frozen=True)
class Task:
    """A file to decide on; ``facts`` are by rule code, ``layouts`` what is known of types by name."""

    file: str
    text: str
    facts: dict[str, dict[str, Any]]
    layouts: Layouts


def decisions(
    run: Run, asked: Sequence[Asked], show: Step | None = None
) -> tuple[list[Decision], list[Skip]]:
    """Decide on each file of each rule, and say which files could not be; one process decides all rules
    of a file, which share headers. Each decision is remembered as soon as it is made.
    """
    texts = texts_of(run.tree, list({file for each in asked for file in each.seen}))
    # Together, as they share headers; rule by rule it takes twice as long.
    run.reached.states(texts)
    keys = {
        (each.rule.code, file): key
        for each in asked
        for file, key in _keys(each, texts, run.reached).items()
    }
    skipped: list[Skip] = []
    seen = {
        (each.rule.code, file): facts
        for each in asked
        for file, facts in each.seen.items()
    }
    decide = partial(_decide, {each.rule.code: each.options for each in asked})

    def make(places: list[Place]) -> Iterator[tuple[Place, Decision]]:
        todo: dict[str, Task] = {}
        asking = _asking({file: texts[file] for _, file in places}, run.reached)
        layouts = recalled(
            run.cache, asking, lambda _, known: rebuilt(Layouts, known) or {}
        )
        for each in {rule for rule, _ in places}:
            load_decision(each)
        for place in places:
            file = place[1]
            known = layouts.get(file, {})
            task = todo.setdefault(file, Task(file, texts[file], {}, known))
            task.facts[place[0]] = seen[place]
        # Files of one directory include the same headers.
        tasks = [todo[file] for file in sorted(todo)]
        jobs, timeout = run.settings.jobs, run.settings.timeout
        for task, done in spread(decide, tasks, jobs, WORTH_A_PROCESS, show, timeout):
            if isinstance(done, Failure):
                skipped.append(Skip(task.file, done.why))
                continue
            made, found = done
            if len(found) > len(task.layouts):
                plain = {name: each and asdict(each) for name, each in found.items()}
                run.cache.remember({asking[task.file]: plain})
            yield from (
                ((rule, task.file), decision) for rule, decision in made.items()
            )

    made = remembered(
        run.cache,
        keys,
        lambda place, data: from_json(place[1], texts[place[1]], data),
        make,
        to_json,
    )
    return [made[place] for place in keys if place in made], skipped


def _asking(texts: Mapping[str, str], reached: Reached) -> dict[str, str]:
    """The cache key of what each file, which has such a text, knows of its types."""
    common = fingerprint(compiler_state(), Path(ask.__file__))
    states = reached.states(texts)
    return {
        file: key(common, file, code_of(encode(without_functions(text))), states[file])
        for file, text in texts.items()
    }


def _decide(
    options: Mapping[str, Options], task: Task
) -> tuple[dict[str, Decision], Layouts]:
    """The decisions on a file by rule, and what is known of its types then."""
    layouts = dict(task.layouts)
    root = next(iter(options.values())).root
    with remembering(root, task.file, layouts):
        made = {
            code: _decision(code, task, facts, options[code])
            for code, facts in task.facts.items()
        }
    return made, layouts


def _decision(
    code: str, task: Task, handed: dict[str, Any], options: Options
) -> Decision:
    facts = load(handed, task.file)
    implementation = implementation_of(code)
    text = unix(task.text)
    found, possible = implementation.decide(text, facts, options)
    made = (with_saves(text, rewrite, options) for rewrite in styled(text, possible))
    rewrites = tuple(
        replace(one, edits=with_ends_of(task.text, one.edits)) for one in made
    )
    findings = _with_rewrites(found, possible, rewrites)
    return Decision(
        task.file, task.text, findings, rewrites, tuple(handed.get("unseen", ())), code
    )


def _with_rewrites(
    found: Sequence[Finding], possible: Sequence[Rewrite], rewrites: Sequence[Rewrite]
) -> tuple[Finding, ...]:
    """The findings of a file, those of rewrites as these have them now."""
    pairs = zip(possible, rewrites, strict=True)
    now = {old.finding: new.finding for old, new in pairs}
    return tuple(now.get(finding, finding) for finding in found)


def _keys(asked: Asked, texts: Mapping[str, str], reached: Reached) -> dict[str, str]:
    """Return the cache key of the decision on each file of a rule."""
    rule, options = asked.rule, asked.options
    module = module_of(rule.code)
    said = f"decision {rule.code} {asked_of(options)}"
    common = fingerprint(said, Path(__file__), module, *modules_of(module))
    states = reached.states(asked.seen)
    others = implementation_of(rule.code).others
    return {
        file: key(
            common,
            file,
            texts[file],
            json.dumps(facts),
            states[file],
            reached.among(others, file) + options.of_file(file),
        )
        for file, facts in asked.seen.items()
    }


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


def needs_of(decided: Sequence[Decision]) -> dict[str, Needs]:
    """The dependencies of the decisions on each file."""
    rules: dict[str, list[str]] = {}
    for decision in decided:
        rules.setdefault(decision.file, []).append(decision.rule)
    return {
        file: Needs(
            includes=True, extras=tuple(c for c in codes if implementation_of(c).others)
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
