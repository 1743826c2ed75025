# SPDX-License-Identifier: GPL-2.0
"""Run the rules on files: facts, and decisions on them, each remembered as it is made.

Parsing a large file takes longer than the rest of a second run, and the result depends only on the
text, the facts, the options and our own code.
"""

import json
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from hotcocci.c import ask, excerpt
from hotcocci.c.ask import library_state, remembering
from hotcocci.c.excerpt import Excerpt, InFunction, Wanted
from hotcocci.c.functions import without_functions
from hotcocci.c.matches import check, load
from hotcocci.c.model import Layout
from hotcocci.cache import recalled, remembered
from hotcocci.engines import spatch
from hotcocci.findings import Facts, Skip
from hotcocci.layout import DATA
from hotcocci.pipeline.filtering import allowances
from hotcocci.pipeline.fingerprint import fingerprint, key, modules_of
from hotcocci.pipeline.known import Decision, Needs, asked_of, from_json, to_json
from hotcocci.pipeline.paths import texts_of
from hotcocci.pipeline.run import Reached, Run, running
from hotcocci.pipeline.settings import Settings, Step
from hotcocci.pool import Failure, attempted, spread
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
from hotcocci.tree import select
from hotcocci.tree.kernel import Tree
from hotcocci.tree.source import code_of, decode, encode, read


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
    common = fingerprint(library_state(), Path(ask.__file__))
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
    # Those of rewrites as these have them now
    pairs = zip(possible, rewrites, strict=True)
    now = {old.finding: new.finding for old, new in pairs}
    findings = tuple(now.get(finding, finding) for finding in found)
    return Decision(
        task.file, task.text, findings, rewrites, tuple(handed.get("unseen", ())), code
    )


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
    made, _ = decide(run, files, replace(options, cold=True, hot=frozenset(called)))
    findings = (finding for decision in made for finding in decision.findings)
    return frozenset((f.file, f.rule, f.line) for f in findings)


# What an excerpt of a file has left of it, in which forms it is tried, and what facts lack.
_OF_EXCERPTS = tuple(Path(str(module.__file__)) for module in (excerpt, select, spatch))


def worth_parsing(run: Run, rule: Rule, files: Sequence[str]) -> list[str]:
    """Return the files that may have matches for the rule.

    A file that cannot be read is kept: parsing it reports why.
    """
    common = fingerprint(f"worth {rule.code}", module_of(rule.code))
    # One text at a time: together they take 40 MB.
    texts = ((file, _read(run.tree.root / file)) for file in files)
    keys = {file: key(common, text) for file, text in texts if text is not None}
    may_match = implementation_of(rule.code).may_match
    known = recalled(run.cache, keys, lambda _, answer: rebuilt(bool, answer))
    texts = ((file, _read(run.tree.root / file)) for file in keys if file not in known)
    fresh = {
        file: attempted(may_match, run.settings.timeout, decode(text or b""))
        for file, text in texts
    }
    # Where the search failed, the rule will say why.
    answers = {f: a for f, a in fresh.items() if not isinstance(a, Failure)}
    run.cache.remember({keys[file]: answer for file, answer in answers.items()})
    return [file for file in files if (known | answers).get(file, True)]


def facts_of(tree: Tree, rule: Rule, file: str, settings: Settings) -> Facts:
    """Return the facts of a rule's script on all functions of a file; none if spatch fails on it."""

    def mentions(_file: str, _head: bytes, body: bytes) -> bool:
        return _has(rule, body)

    with running(tree, settings) as run:
        seen, _ = _facts(run, [rule], [file], mentions)
    return load(seen.get(file, {}), file)


def raw_facts(
    run: Run, worth: Mapping[Rule, Collection[str]]
) -> tuple[dict[str, dict[str, Any]], list[Skip]]:
    """Return spatch's facts by file for rules that share a script, and the files it fails on.

    ``worth`` are the files of each rule that may have matches. Only functions that may have some are
    parsed, each once for all of the rules.
    """
    tests = [
        (frozenset(files), rule, implementation_of(rule.code).may_match_in)
        for rule, files in worth.items()
    ]

    def wanted(file: str, head: bytes, body: bytes) -> bool:
        own = [
            test for files, rule, test in tests if file in files and _has(rule, body)
        ]
        text = decode(head + b"\n{\n" + body + b"}\n") if own else ""
        # A function that takes too long to search is parsed; the rest of its file has to be searched, too.
        answers = (attempted(test, run.settings.timeout / 4, text) for test in own)
        return any(answer for answer in answers)

    files = sorted(frozenset[str]().union(*worth.values()))
    return _facts(run, [*worth], files, wanted)


def _facts(
    run: Run, rules: Sequence[Rule], files: Sequence[str], function: InFunction
) -> tuple[dict[str, dict[str, Any]], list[Skip]]:
    every = (implementation_of(rule.code).names for rule in rules)
    names = frozenset[str]().union(*every)
    script = DATA / rules[0].script
    settings, version = run.settings, run.tree.features.version
    looked_for = excerpt.looked_for(script.read_text(encoding="utf-8"))
    complete = partial(excerpt.completed, names, looked_for, version)

    def completed(part: Excerpt, seen: dict[str, Any]) -> dict[str, Any]:
        made = attempted(partial(complete, seen), settings.timeout, part)
        # Where this fails, the decision says why.
        return seen if isinstance(made, Failure) else made

    title = f"parsing for {', '.join(rule.code for rule in rules)}"
    with settings.observer.progress(title) as show:
        return spatch.facts(
            run.tree,
            script,
            files,
            run.cache,
            settings.jobs,
            settings.timeout,
            show,
            extra_inputs=(*modules_of(script), *_OF_EXCERPTS),
            version=version,
            wanted=Wanted(
                function, lambda code: any(_has(rule, code) for rule in rules)
            ),
            check=check,
            completed=completed,
        )


def _has(rule: Rule, code: bytes) -> bool:
    """Whether code mentions what a rule is about."""
    return rule.mention is not None and rule.mention.pattern.search(code) is not None


def _read(path: Path) -> bytes | None:
    try:
        return read(path)
    except OSError:
        return None
