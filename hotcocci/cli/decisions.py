# SPDX-License-Identifier: GPL-2.0
"""Deciding on every file, and remembering what was decided.

Reading a large file token by token takes longer than all the rest of a second run, and
its outcome depends on nothing but the text, the facts, the options and our own code.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from hotcocci.cache import Cache
from hotcocci.cli.inputs import fingerprint, included
from hotcocci.cli.workings import WORKINGS
from hotcocci.errors import UserError
from hotcocci.findings import Edit, Facts, Finding, Rewrite
from hotcocci.pool import spread
from hotcocci.rewrite.options import Options
from hotcocci.c.facts_json import load
from hotcocci.c.unseen import unseen
from hotcocci.rules.entry import Rule
from hotcocci.tree.kernel import Tree
from hotcocci.tree.source import decode, encode

# Below this number of files a second process costs more than it saves.
WORTH_A_PROCESS = 40


@dataclass(frozen=True)
class Decision:
    """What was decided about one file, and the text that the edits count in.

    ``unseen`` are the lines of accesses that spatch did not see.
    """

    file: str
    text: str
    findings: tuple[Finding, ...]
    rewrites: tuple[Rewrite, ...]
    unseen: tuple[int, ...] = ()


@dataclass(frozen=True)
class Task:
    """One file to be decided on."""

    code: str
    file: str
    text: str
    facts: dict[str, Any]
    options: Options


def decisions(
    tree: Tree,
    rule: Rule,
    seen: Mapping[str, dict[str, Any]],
    options: Options,
    cache: Cache,
    jobs: int,
) -> list[Decision]:
    """Decide on each file; ``seen`` are the facts as spatch handed them over, by file.

    Empty facts are those of a file in which it saw nothing.
    """
    common = _fingerprint(rule, options)
    texts = {file: _read(tree, file) for file in seen}
    keys = {
        file: _key(
            common, file, texts[file], seen[file], _beside(tree, rule, file, text)
        )
        for file, text in texts.items()
    }
    known = cache.answers(list(keys.values()))
    made: dict[str, Decision] = {}
    for file, key in keys.items():
        decision = _from_json(file, texts[file], known.get(key))
        if decision is not None:
            made[file] = decision
    todo = [
        Task(rule.code, file, text, seen[file], options)
        for file, text in texts.items()
        if file not in made
    ]
    fresh = spread(_decide, todo, jobs, WORTH_A_PROCESS)
    if fresh:
        cache.remember({keys[decision.file]: _to_json(decision) for decision in fresh})
    made |= {decision.file: decision for decision in fresh}
    return [made[file] for file in seen]


def _decide(task: Task) -> Decision:
    facts = load(task.facts, task.file) if task.facts else Facts(task.file)
    working = WORKINGS[task.code]
    found, possible = working.decide(task.text, facts, task.options)
    missed = unseen(task.text, facts, working.names)
    return Decision(task.file, task.text, tuple(found), tuple(possible), tuple(missed))


def _fingerprint(rule: Rule, options: Options) -> bytes:
    """A hash of all that a decision depends on besides the file and its facts."""
    asked = json.dumps(asdict(options), default=_plain, sort_keys=True)
    # What a structure looks like is read from whichever header defines it.
    return fingerprint(f"decision {rule.code} {asked}", options.root, Path(__file__))


def _plain(value: object) -> object:
    return sorted(value) if isinstance(value, frozenset) else str(value)


def _beside(tree: Tree, rule: Rule, file: str, text: str) -> bytes:
    """What else a decision depends on: the .c files it includes, and what the rule asks for."""
    beside = WORKINGS[rule.code].beside
    return included(tree, file, text) + (beside(tree.root, file) if beside else b"")


def _key(
    common: bytes, file: str, text: str, facts: dict[str, Any], included: bytes
) -> str:
    parts = (file.encode(), encode(text), json.dumps(facts).encode(), included)
    digest = hashlib.sha256(common)
    for part in parts:
        digest.update(hashlib.sha256(part).digest())
    return digest.hexdigest()


def _to_json(decision: Decision) -> object:
    return {
        "findings": [asdict(finding) for finding in decision.findings],
        "rewrites": [asdict(rewrite) for rewrite in decision.rewrites],
        "unseen": list(decision.unseen),
    }


def _from_json(file: str, text: str, data: object) -> Decision | None:
    if not isinstance(data, dict):
        return None
    rewrites = (
        Rewrite(
            **{
                **rewrite,
                "finding": Finding(**rewrite["finding"]),
                "edits": tuple(Edit(**edit) for edit in rewrite["edits"]),
                "notes": tuple(rewrite["notes"]),
            }
        )
        for rewrite in data["rewrites"]
    )
    findings = (Finding(**finding) for finding in data["findings"])
    return Decision(file, text, tuple(findings), tuple(rewrites), tuple(data["unseen"]))


def _read(tree: Tree, file: str) -> str:
    try:
        return decode((tree.root / file).read_bytes())
    except OSError as error:
        raise UserError(
            f"cannot read {file}: {error.strerror}: run the command again"
        ) from error
