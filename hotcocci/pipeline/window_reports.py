# SPDX-License-Identifier: GPL-2.0
"""Run spatch's window checks on many files, with cached results."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from hotcocci.c.facts_json import load
from hotcocci.cache import Cache
from hotcocci.engines import spatch
from hotcocci.findings import Edit, Facts, Note, Report, Skip
from hotcocci.pipeline.fingerprint import CHECKOUT, fingerprint, modules_of
from hotcocci.pipeline.settings import Settings
from hotcocci.pool import spread
from hotcocci.rules.entry import WINDOW_SCRIPT
from hotcocci.tree.kernel import Tree
from hotcocci.tree.source import encode
from hotcocci.tree.uaccess_safe import CHECK
from hotcocci.windows import check as windows

# Below this number of files a second process costs more than it saves.
WORTH_A_PROCESS = 4


@dataclass(frozen=True)
class _Task:
    file: str
    text: str
    facts: Facts
    options: windows.Options


Seen = tuple[tuple[Report, ...], tuple[Skip, ...]]


def window_reports(
    tree: Tree, texts: dict[str, str], cache: Cache, settings: Settings
) -> tuple[list[Report], list[Skip]]:
    """Return the reports on each file, and the files and functions that could not be analysed.

    Raises UserError if spatch is missing or cannot run the script.
    """
    script = CHECKOUT / WINDOW_SCRIPT
    with settings.observer.progress("windows") as show:
        facts, skipped = spatch.facts(
            tree,
            script,
            list(texts),
            cache,
            settings.jobs,
            settings.timeout,
            show,
            extra_inputs=modules_of(script),
        )
    options = windows.Options(tree.root, not tree.features.masked_directed)
    common = _fingerprint(tree, options)
    keys = {file: _key(common, file, texts[file], seen) for file, seen in facts.items()}
    known = cache.answers(list(keys.values()))
    made = {file: _from_json(known.get(key)) for file, key in keys.items()}
    todo = [
        _Task(
            file,
            texts[file],
            load(facts[file], file) if facts[file] else Facts(file),
            options,
        )
        for file, seen in made.items()
        if seen is None
    ]
    fresh = spread(_look, todo, settings.jobs, WORTH_A_PROCESS)
    cache.remember(
        {keys[t.file]: _to_json(seen) for t, seen in zip(todo, fresh, strict=True)}
    )
    made.update({t.file: seen for t, seen in zip(todo, fresh, strict=True)})
    found = [seen for seen in made.values() if seen is not None]
    reports = [report for seen in found for report in seen[0]]
    return reports, [*skipped, *(skip for seen in found for skip in seen[1])]


def _look(task: _Task) -> Seen:
    return windows.check(task.text, task.facts, task.options)


def _fingerprint(tree: Tree, options: windows.Options) -> bytes:
    """Hash what a report depends on, except for the file and its facts."""
    asked = f"windows {tree.root} {options.one_flavour}"
    # Which names are macros or inline functions is read from the headers, and what may be called
    # in a window from objtool.
    objtool = tree.root / CHECK
    others = [objtool] if objtool.exists() else []
    return fingerprint(asked, tree.root, Path(windows.__file__), *others)


def _key(common: bytes, file: str, text: str, facts: dict[str, Any]) -> str:
    parts = (file.encode(), encode(text), json.dumps(facts).encode())
    digest = hashlib.sha256(common)
    for part in parts:
        digest.update(hashlib.sha256(part).digest())
    return digest.hexdigest()


def _to_json(seen: Seen) -> object:
    return [[asdict(report) for report in seen[0]], [asdict(skip) for skip in seen[1]]]


def _from_json(data: object) -> Seen | None:
    if not isinstance(data, list):
        return None
    reports, skips = data
    return tuple(map(report_from, reports)), tuple(Skip(**skip) for skip in skips)


def report_from(data: dict[str, Any]) -> Report:
    """Rebuild a report from the output of `asdict`."""
    notes = tuple(Note(**note) for note in data["notes"])
    fix = tuple(Edit(**edit) for edit in data["fix"])
    return Report(**{**data, "notes": notes, "fix": fix})
