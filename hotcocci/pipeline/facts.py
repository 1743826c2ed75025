# SPDX-License-Identifier: GPL-2.0
"""Get the facts that a rule's semantic patch matches, from the files worth parsing for it.

Searching a text is cheap for one file and takes seconds for all that mention user memory. The result
depends only on the text and our own code, so it is cached.
"""

from collections.abc import Collection, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from hotcocci.c import excerpt
from hotcocci.c.excerpt import Excerpt, InFunction, Wanted
from hotcocci.c.matches import check, load
from hotcocci.cache import recalled
from hotcocci.engines import spatch
from hotcocci.findings import Facts, Skip
from hotcocci.layout import DATA
from hotcocci.pipeline.fingerprint import fingerprint, key, modules_of
from hotcocci.pipeline.run import Run, running
from hotcocci.pipeline.settings import Settings
from hotcocci.pool import Failure, attempted
from hotcocci.records import rebuilt
from hotcocci.rules.entry import Rule
from hotcocci.rules.rulebook import implementation_of, module_of
from hotcocci.tree import select
from hotcocci.tree.kernel import Tree
from hotcocci.tree.source import decode, read

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
