# SPDX-License-Identifier: GPL-2.0
"""Run the rules' decisions on every file, with cached results.

Parsing a large file takes longer than the rest of a second run, and the result depends only on the
text, the facts, the options and our own code.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from hotcocci.c import ask
from hotcocci.c.ask import Unknown, compiler_state, remembering
from hotcocci.c.functions import without_bodies
from hotcocci.c.matches import load
from hotcocci.c.model import Layout
from hotcocci.findings import Finding, Rewrite, Skip
from hotcocci.memo import recalled, remembered
from hotcocci.pipeline.fingerprint import fingerprint, key, modules_of
from hotcocci.pipeline.known import Decision, asked_of, from_json, to_json
from hotcocci.pipeline.paths import texts_of
from hotcocci.pipeline.reached import Reached
from hotcocci.pipeline.run import Run
from hotcocci.pipeline.settings import Step
from hotcocci.pool import Failure, spread
from hotcocci.proof.estimate import with_saves
from hotcocci.records import rebuilt
from hotcocci.rewrite.layout import styled, unix, with_ends_of
from hotcocci.rewrite.options import Options
from hotcocci.rules.entry import Rule
from hotcocci.rules.rulebook import implementation_of, load_decision, module_of
from hotcocci.tree.source import encode
from hotcocci.tree.stamps import code_of

# Below this number of files a second process costs more than it saves.
WORTH_A_PROCESS = 40

# A rule's code and a file
Place = tuple[str, str]
Layouts = dict[str, Layout | Unknown]


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
                plain = {name: asdict(layout) for name, layout in found.items()}
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
        file: key(
            common,
            file,
            code_of(encode(without_bodies(text))),
            states[file],
        )
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
